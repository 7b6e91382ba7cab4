# A plan that is there is never touched.
mkdir c
echo mine >c/campaign.json
unchanged c assay init c
