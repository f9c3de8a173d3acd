import { useFormatter, useTranslations } from "use-intl";
import { ACTION_VIEWS } from "~/components/actions/action-views";
import { MovementName } from "~/components/credits/movement-name";
import { DataTable } from "~/components/ui/data-table";
import { useDay } from "~/components/use-day";
import type { Movement } from "~/models/accounts/movement";
import type { Lot, LotUse } from "~/models/credits/lot";

/** The user's lots: where each came from, what is left, when it ends and what it paid for. Below 640 px each is a card. */
export function LotTable({ lots }: { lots: Lot[] }) {
  const t = useTranslations();
  const format = useFormatter();
  const day = useDay();
  const usesOf = useLotUses();
  return (
    <DataTable
      caption={t("credits.lotsCaption")}
      columns={[
        t("credits.lotFrom"),
        t("credits.lotSpent"),
        t("credits.lotEnds"),
        t("credits.lotLeft"),
      ]}
      endFrom={3}
    >
      {lots.map((lot) => (
        <tr key={lot.id}>
          <td className="first">
            <MovementName movement={movementOf(lot)} />
          </td>
          <td className="rest">
            <span className="label">{t("credits.lotSpent")} </span>
            {usesOf(lot.uses)}
          </td>
          <td className="when rest">
            <span className="label">{t("credits.lotEnds")} </span>
            {lot.expiresAt ? day(lot.expiresAt) : t("credits.lotNever")}
          </td>
          <td className="end amount">
            <data value={lot.remaining}>
              {t("credits.lotOf", {
                left: format.number(lot.remaining),
                amount: format.number(lot.amount),
              })}
            </data>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

/** Returns a function that says what became of a lot's credits, the most first. */
function useLotUses(): (uses: LotUse[]) => string {
  const t = useTranslations();
  const format = useFormatter();
  const names = {
    expired: t("credits.lotExpired"),
    returned: t("credits.lotReturned"),
    correction: t("credits.lotCorrection"),
    other: t("credits.lotOther"),
  };
  const nameOf = (use: LotUse): string => {
    if (use.for !== "run") return names[use.for];
    // An action may be gone from the catalog.
    return use.action && use.action in ACTION_VIEWS
      ? t(ACTION_VIEWS[use.action].words.name)
      : names.other;
  };
  return (uses) =>
    uses
      .map((use) => t("credits.lotUse", { name: nameOf(use), credits: format.number(use.credits) }))
      .join(" · ") || t("credits.lotNothing");
}

/** The movement that brought the lot, for its words. */
function movementOf(lot: Lot): Movement {
  const { order, period } = lot;
  return {
    ...lot,
    balanceAfter: 0,
    parts: [],
    run: null,
    apiKeyName: null,
    orderId: order?.id ?? null,
    plan: period && {
      planKey: period.planKey,
      paymentId: period.isTrial ? null : period.id,
    },
  };
}
