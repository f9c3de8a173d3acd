import { useFormatter, useTranslations } from "use-intl";
import { Amount } from "~/components/credits/amount";
import { MovementName } from "~/components/credits/movement-name";
import { MovementParts } from "~/components/credits/movement-parts";
import { Time } from "~/components/time";
import type { Movement } from "~/models/accounts/movement";

/** The user's movements of credits, a run being one of them. Below 640 px each row is a card. */
export function MovementTable({ movements }: { movements: Movement[] }) {
  const t = useTranslations();
  const format = useFormatter();
  return (
    <div className="card card-flush">
      <table className="data-table">
        <caption className="sr-only">{t("credits.movementsCaption")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("credits.what")}</th>
            <th scope="col">{t("credits.when")}</th>
            <th scope="col" className="end">
              {t("credits.amount")}
            </th>
            <th scope="col" className="end">
              {t("credits.balanceAfter")}
            </th>
          </tr>
        </thead>
        <tbody>
          {movements.map((movement) => (
            <tr key={movement.id}>
              <td className="first">
                <MovementName movement={movement} />
                <MovementParts parts={movement.parts} />
              </td>
              <td className="when rest">
                <Time at={movement.createdAt} />
              </td>
              <td className="end amount">
                <Amount amount={movement.amount} isLost={movement.type === "expiry"} />
              </td>
              <td className="end second" data-label={t("credits.balanceAfter")}>
                <data value={movement.balanceAfter}>{format.number(movement.balanceAfter)}</data>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
