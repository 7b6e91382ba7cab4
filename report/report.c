#include "assay/report.h"

#include "base/file.h"
#include "report/canvas_pdf.h"
#include "report/page.h"

int report_render(const struct analysis_doc *doc, const char *template_path, enum report_paper paper,
		  const char *out_path, struct error *err)
{
	CLEANUP(mem_free) char *bytes = NULL;
	CLEANUP(canvas_pdf_free) struct canvas *canvas = NULL;
	CLEANUP(text_release) struct text pdf = {0};
	size_t n = 0;
	int r = file_read(template_path, &bytes, &n, err);
	if (r < 0)
		return error_wrap(r, err, "cannot read the template");
	const struct canvas_pdf_info info = {
		.width = paper == REPORT_A4 ? 595.28 : 612,
		.height = paper == REPORT_A4 ? 841.89 : 792,
		.title = doc->name ? doc->name : "campaign",
		.digest = doc->sha256,
		.date = doc->last_started,
	};
	r = canvas_pdf_new(&info, &canvas, err);
	if (r < 0)
		return r;
	r = page_layout(doc, template_path, bytes, n, canvas, err);
	if (r < 0)
		return r;
	r = canvas_pdf_finish(canvas, &pdf, err);
	if (r < 0)
		return r;
	return file_replace(out_path, text_string(&pdf), pdf.length, err);
}
