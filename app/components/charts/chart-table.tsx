import { useTranslations } from "use-intl";
import { Icon } from "~/components/ui/icon";

interface ChartTableProps {
  caption: string;
  /** The first column names the row; the others are numbers. */
  head: string[];
  /** The first cell of a row is unique. */
  rows: string[][];
}

/** A chart's numbers as a table, which opens below it. */
export function ChartTable({ caption, head, rows }: ChartTableProps) {
  const t = useTranslations();
  const [first, ...numbers] = head;
  return (
    <details className="more">
      <summary>
        {t("credits.asTable")} <Icon name="down" size={16} className="chev" />
      </summary>
      <table className="chart-table num">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {numbers.map((text) => (
              <th key={text} scope="col" className="end">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((text, column) => (
                <td key={numbers[column]} className="end">
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
