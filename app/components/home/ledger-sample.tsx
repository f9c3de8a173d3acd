import { useFormatter, useTranslations } from "use-intl";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { MAX_IMAGES } from "~/services/images/image-limits";

const BOUGHT = 500;

/** Three lines of a history, as an example: a purchase, a charge and its refund. */
export function LedgerSample({ imageCost }: { imageCost: number | null }) {
  const t = useTranslations();
  const format = useFormatter();
  const count = MAX_IMAGES;
  const cost = count * (imageCost ?? CREDITS_PER_IMAGE);
  const [spent, refund] =
    imageCost === null
      ? [t("home.ledgerSpentPlain"), t("home.ledgerRefundPlain")]
      : [t("home.ledgerSpent", { count }), t("home.ledgerRefund", { count })];
  const rows = [
    { what: t("home.ledgerBought", { credits: BOUGHT }), change: BOUGHT, balance: BOUGHT },
    { what: spent, change: -cost, balance: BOUGHT - cost },
    { what: refund, change: cost, balance: BOUGHT },
  ];
  return (
    <table className="ledger-sample num">
      <caption className="sr-only">{t("home.ledgerCaption")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("home.ledgerWhat")}</th>
          <th scope="col">{t("home.ledgerCredits")}</th>
          <th scope="col">{t("home.ledgerBalance")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ what, change, balance }) => (
          <tr key={what}>
            <td>{what}</td>
            <td className={change < 0 ? "minus" : "plus"}>
              {change < 0 ? "−" : "+"}
              {format.number(Math.abs(change))}
            </td>
            <td>{format.number(balance)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
