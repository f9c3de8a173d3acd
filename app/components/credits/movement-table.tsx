import { useFormatter, useTranslations } from "use-intl";
import { Amount } from "~/components/credits/amount";
import { MovementName } from "~/components/credits/movement-name";
import { MovementParts } from "~/components/credits/movement-parts";
import { Time } from "~/components/time";
import { DataTable } from "~/components/ui/data-table";
import type { Movement } from "~/models/accounts/movement";

/** The user's movements of credits, a run being one of them. Below 640 px each row is a card. */
export function MovementTable({ movements }: { movements: Movement[] }) {
  const t = useTranslations();
  const format = useFormatter();
  return (
    <DataTable
      caption={t("credits.movementsCaption")}
      columns={[
        t("credits.what"),
        t("credits.when"),
        t("credits.amount"),
        t("credits.balanceAfter"),
      ]}
      endFrom={2}
    >
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
    </DataTable>
  );
}
