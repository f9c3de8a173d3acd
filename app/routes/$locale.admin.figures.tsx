import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AdminPage } from "~/components/admin/admin-page";
import { FIGURES } from "~/components/figures/figure";
import { FigureCard } from "~/components/figures/figure-card";
import { Button } from "~/components/ui/button";
import { translatorFor } from "~/i18n/messages.server";
import { noteFigures } from "~/models/admin/note-figures.server";
import { getSummedDays } from "~/models/figures/summed-credits.server";
import { readFigureDay } from "~/server/admin/figure-day.server";
import { readFigure } from "~/server/admin/figure-tables.server";
import { requireAdmin } from "~/server/admin/require-admin.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: actor } = await requireAdmin(request, locale);
  const title = translatorFor(locale)("figures.title");
  const days = await getSummedDays();
  if (!days) return { title, locale, days, day: null, figures: [] };
  const day = readFigureDay(request, days);
  await noteFigures({ actor, day });
  const figures = await Promise.all(FIGURES.map((name) => readFigure(name, { day })));
  return { title, locale, days, day, figures };
}

export { refusePost as action } from "~/server/admin/refuse-post.server";

/** The key figures, drawn on the server. */
export default function Figures() {
  const t = useTranslations();
  const { title, locale, days, day, figures } = useLoaderData<typeof loader>();
  const path = `/${locale}/admin/figures`;
  if (!days || day === null)
    return (
      <AdminPage title={title}>
        <p>{t("figures.notYet")}</p>
      </AdminPage>
    );
  return (
    <AdminPage title={title} lead={t("figures.lead")}>
      <form action={path} className="stack stack-2">
        <label htmlFor="figures-day">{t("figures.day")}</label>
        <div className="admin-ask">
          <input
            id="figures-day"
            name="day"
            type="date"
            className="input"
            defaultValue={day}
            min={days.first}
            max={days.last}
            required
          />
          <Button look="secondary">{t("figures.show")}</Button>
        </div>
      </form>
      {figures.map((figure) => (
        <FigureCard
          key={figure.name}
          figure={figure}
          csvHref={`${path}.csv?${new URLSearchParams({ figure: figure.name, day })}`}
        />
      ))}
    </AdminPage>
  );
}
