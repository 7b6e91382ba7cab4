plan
sed -i '3s/,$//' c/campaign.json
unchanged c assay analyze c
