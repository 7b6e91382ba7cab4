assay analyze nowhere
