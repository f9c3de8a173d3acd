import { useFormatter, useTranslations } from "use-intl";
import { MonthBars } from "~/components/charts/month-bars";
import { decimalsOf, type Figure, isTextColumn } from "~/components/figures/figure";
import { COLUMN_TEXTS, FIGURE_TEXTS } from "~/components/figures/figure-texts";
import { ButtonLink } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { CardTable } from "~/components/ui/card-table";
import { Icon } from "~/components/ui/icon";

interface FigureCardProps {
  figure: Figure;
  csvHref: string;
}

/** A key figure: the rows that it is made of in a sentence, its bars, its table and the table as a file. */
export function FigureCard({ figure: { name, columns, rows, bars }, csvHref }: FigureCardProps) {
  const t = useTranslations();
  const format = useFormatter();
  const texts = FIGURE_TEXTS[name];
  const title = t(texts.title);
  return (
    <Card
      id={name}
      title={title}
      className="stack stack-3"
      aside={
        <ButtonLink look="secondary" size="small" href={csvHref}>
          <Icon name="download" size={16} />
          {t("figures.download")}
        </ButtonLink>
      }
    >
      <p className="muted">{t(texts.rows)}</p>
      {rows.length === 0 ? <p>{t("figures.none")}</p> : null}
      {bars && bars.length > 0 && texts.bars ? (
        <MonthBars label={t(texts.bars)} bars={bars} />
      ) : null}
      {rows.length > 0 ? (
        <CardTable
          caption={title}
          columns={columns.map((column, index) => ({
            label: t(COLUMN_TEXTS[column]),
            kind: index === 0 ? "name" : isTextColumn(column) ? "text" : "number",
            cell: ({ cells }: { cells: Figure["rows"][number] }) => {
              const cell = cells[index] ?? null;
              if (cell === null) return "–";
              if (typeof cell !== "number") return cell;
              const currency = cells[columns.indexOf("currency")];
              const digits = decimalsOf(column, typeof currency === "string" ? currency : null);
              return format.number(cell, {
                minimumFractionDigits: digits,
                maximumFractionDigits: 6,
              });
            },
          }))}
          rows={rows.map((cells, index) => ({ cells, key: String(index) }))}
          keyOf={({ key }) => key}
        />
      ) : null}
    </Card>
  );
}
