plan
sed -i 's/"margin_percent"/"margin_percnt"/' c/campaign.json
unchanged c assay analyze c
