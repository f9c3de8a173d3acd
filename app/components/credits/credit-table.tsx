import { useFormatter, useTranslations } from "use-intl";
import { CardLabel, CELL, HEAD } from "~/components/card-table";

interface CreditRow {
  id: string;
  type: "grant" | "deduction" | "refund" | "reversal" | "expiry" | "adjustment";
  /** Ledger source; distinguishes kinds of grants. */
  source: string;
  amount: number;
  balanceAfter: number;
  remaining: number | null;
  expiresAt: Date | string | null;
  description: string | null;
  createdAt: Date | string;
}

/** The user's ledger rows: a table on wide screens, cards on narrow ones. */
export function CreditTable({ rows }: { rows: CreditRow[] }) {
  const t = useTranslations();
  if (rows.length === 0) {
    return <p className="rounded-md border border-line p-6 text-ink-muted">{t("credits.empty")}</p>;
  }
  return (
    <table className="w-full text-left max-sm:block">
      <caption className="sr-only">{t("credits.title")}</caption>
      <thead className="border-b border-line text-sm text-ink-muted max-sm:sr-only">
        <tr>
          <th scope="col" className={HEAD}>
            {t("credits.when")}
          </th>
          <th scope="col" className={HEAD}>
            {t("credits.what")}
          </th>
          <th scope="col" className={`${HEAD} text-right`}>
            {t("credits.amount")}
          </th>
          <th scope="col" className={`${HEAD} text-right`}>
            {t("credits.balanceAfter")}
          </th>
          <th scope="col" className={HEAD}>
            {t("credits.expires")}
          </th>
        </tr>
      </thead>
      <tbody className="max-sm:grid max-sm:gap-4">
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </tbody>
    </table>
  );
}

/** Returns a row's name in the user's words. */
function useName({ type, source }: CreditRow): string {
  const t = useTranslations();
  const names: Record<CreditRow["type"], string> = {
    grant: t("credits.grant"),
    deduction: t("credits.deduction"),
    refund: t("credits.refund"),
    reversal: t("credits.reversal"),
    expiry: t("credits.expiry"),
    adjustment: t("credits.adjustment"),
  };
  if (type !== "grant") return names[type];
  if (source.startsWith("order:")) return t("credits.pack");
  if (source.startsWith("subscription:")) return t("credits.month");
  if (source.startsWith("signup:")) return t("credits.welcome");
  return names.grant;
}

function Row({ row }: { row: CreditRow }) {
  const t = useTranslations();
  const format = useFormatter();
  const name = useName(row);
  const time = (at: Date | string) => (
    <time dateTime={new Date(at).toISOString()}>
      {format.dateTime(new Date(at), { dateStyle: "medium", timeStyle: "short" })}
    </time>
  );
  return (
    <tr className="border-b border-line max-sm:block max-sm:rounded-md max-sm:border max-sm:p-4">
      <td className={CELL}>
        <CardLabel>{t("credits.when")}</CardLabel>
        {time(row.createdAt)}
      </td>
      <th scope="row" className={`${CELL} font-medium`}>
        <CardLabel>{t("credits.what")}</CardLabel>
        <span className="max-sm:text-right">
          {name}
          {row.description ? (
            <span className="block text-sm font-normal text-ink-muted">{row.description}</span>
          ) : null}
        </span>
      </th>
      <td className={`${CELL} text-right tabular-nums`}>
        <CardLabel>{t("credits.amount")}</CardLabel>
        <data value={row.amount} className={row.amount > 0 ? "text-success" : ""}>
          {format.number(row.amount, { signDisplay: "exceptZero" })}
        </data>
      </td>
      <td className={`${CELL} text-right tabular-nums`}>
        <CardLabel>{t("credits.balanceAfter")}</CardLabel>
        <data value={row.balanceAfter}>{format.number(row.balanceAfter)}</data>
      </td>
      <td className={CELL}>
        <CardLabel>{t("credits.expires")}</CardLabel>
        {row.remaining === null ? "–" : row.expiresAt ? time(row.expiresAt) : t("credits.never")}
      </td>
    </tr>
  );
}
