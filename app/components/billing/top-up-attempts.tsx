import { useTranslations } from "use-intl";
import { findPack } from "~/catalog";
import type { ShownTopUp } from "~/components/billing/shown-top-up";
import { useTopUpStatus } from "~/components/billing/use-top-up-status";
import { Time } from "~/components/time";
import { Badge } from "~/components/ui/badge";
import { DataTable } from "~/components/ui/data-table";
import { useMoney } from "~/components/use-money";

type Attempt = ShownTopUp["attempts"][number];

/** The latest attempts, and what became of each. */
export function TopUpAttempts({ attempts }: { attempts: Attempt[] }) {
  const t = useTranslations();
  const money = useMoney();
  const statusOf = useTopUpStatus();
  if (attempts.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="attempts">
      <h2 id="attempts" className="h24">
        {t("topUp.attempts")}
      </h2>
      <DataTable
        caption={t("topUp.attemptsCaption")}
        columns={[t("billing.item"), t("billing.date"), t("billing.status"), t("billing.amount")]}
        endFrom={3}
      >
        {attempts.map((attempt) => {
          const { text, tone } = statusOf(attempt);
          const { id, skuKey, createdAt, amount, currency } = attempt;
          const credits = attempt.credits ?? findPack(skuKey)?.credits ?? 0;
          return (
            <tr key={id}>
              <td className="first">
                <b>{t("pricing.packCredits", { credits })}</b>
              </td>
              <td className="when rest">
                <Time at={createdAt} />
              </td>
              <td className="rest">
                <Badge tone={tone}>{text}</Badge>
              </td>
              <td className="amount end rest">{money(amount, currency)}</td>
            </tr>
          );
        })}
      </DataTable>
    </section>
  );
}
