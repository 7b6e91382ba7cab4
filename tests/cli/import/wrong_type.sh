plan
sed -i 's/"margin_percent": 2/"margin_percent": "two"/' c/campaign.json
unchanged c assay analyze c
