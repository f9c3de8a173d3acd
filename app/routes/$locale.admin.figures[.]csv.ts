import type { LoaderFunctionArgs } from "@remix-run/node";
import { FIGURES } from "~/components/figures/figure";
import { COLUMN_TEXTS } from "~/components/figures/figure-texts";
import { translatorFor } from "~/i18n/messages.server";
import { noteFigures } from "~/models/admin/note-figures.server";
import { getSummedDays } from "~/models/figures/summed-credits.server";
import { readFigureDay } from "~/server/admin/figure-day.server";
import { readFigure } from "~/server/admin/figure-tables.server";
import { requireAdmin } from "~/server/admin/require-admin.server";
import { csvResponse } from "~/server/request/csv-response.server";
import { requireLocale } from "~/server/request/locale-param.server";
import type { CsvCell } from "~/utils/csv.server";

/** Sends one key figure as a table. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: actor } = await requireAdmin(request, locale);
  const asked = new URL(request.url).searchParams.get("figure");
  const name = FIGURES.find((known) => known === asked);
  const days = await getSummedDays();
  if (!name || !days) throw new Response(null, { status: 404 });
  const day = readFigureDay(request, days);
  await noteFigures({ actor, day, figure: name });
  const { columns, rows } = await readFigure(name, { day });
  const t = translatorFor(locale);
  const head = columns.map((column) => t(COLUMN_TEXTS[column]));
  return csvResponse({ filename: `${name}.csv`, head, rows: each(rows) }, context);
}

export { refusePost as action } from "~/server/admin/refuse-post.server";

async function* each(rows: CsvCell[][]): AsyncGenerator<CsvCell[]> {
  yield* rows;
}
