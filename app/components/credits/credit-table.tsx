import { useFormatter, useTranslations } from "use-intl";
import { Time } from "~/components/time";
import { CardTable } from "~/components/ui/card-table";

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

/** The user's ledger rows. */
export function CreditTable({ rows }: { rows: CreditRow[] }) {
  const t = useTranslations();
  const format = useFormatter();
  const nameOf = useRowName();
  if (rows.length === 0) {
    return <p className="rounded-md border border-line p-6 text-ink-2">{t("credits.empty")}</p>;
  }
  return (
    <CardTable
      caption={t("credits.title")}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { label: t("credits.when"), cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          label: t("credits.what"),
          kind: "name",
          cell: (row) => (
            <span className="max-sm:text-right">
              {nameOf(row)}
              {row.description ? (
                <span className="block text-14 font-normal text-ink-2">{row.description}</span>
              ) : null}
            </span>
          ),
        },
        {
          label: t("credits.amount"),
          kind: "number",
          cell: ({ amount }) => (
            <data value={amount} className={amount > 0 ? "text-good-ink" : ""}>
              {format.number(amount, { signDisplay: "exceptZero" })}
            </data>
          ),
        },
        {
          label: t("credits.balanceAfter"),
          kind: "number",
          cell: ({ balanceAfter }) => (
            <data value={balanceAfter}>{format.number(balanceAfter)}</data>
          ),
        },
        { label: t("credits.expires"), cell: (row) => <Expiry row={row} /> },
      ]}
    />
  );
}

/** When a lot ends; a dash for a row that isn't a lot. */
function Expiry({ row: { remaining, expiresAt } }: { row: CreditRow }) {
  const t = useTranslations();
  if (remaining === null) return "–";
  return expiresAt ? <Time at={expiresAt} /> : t("credits.never");
}

/** Returns a row's name in the user's words. */
function useRowName(): (row: CreditRow) => string {
  const t = useTranslations();
  const names: Record<CreditRow["type"], string> = {
    grant: t("credits.grant"),
    deduction: t("credits.deduction"),
    refund: t("credits.refund"),
    reversal: t("credits.reversal"),
    expiry: t("credits.expiry"),
    adjustment: t("credits.adjustment"),
  };
  return ({ type, source }) => {
    if (type !== "grant") return names[type];
    if (source.startsWith("order:")) return t("credits.pack");
    if (source.startsWith("subscription:")) return t("credits.month");
    if (source.startsWith("signup:")) return t("credits.welcome");
    return names.grant;
  };
}
