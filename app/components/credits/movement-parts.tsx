import { useFormatter, useTranslations } from "use-intl";
import { Amount } from "~/components/credits/amount";
import { Time } from "~/components/time";
import { Icon } from "~/components/ui/icon";
import type { MovementPart } from "~/models/accounts/movement";

/** The rows of a run in the ledger, which open below its line. Renders nothing for one row, which the line shows. */
export function MovementParts({ parts }: { parts: MovementPart[] }) {
  const t = useTranslations();
  const format = useFormatter();
  if (parts.length < 2) return null;
  const names = {
    refund: t("credits.partBack"),
    first: t("credits.partTaken"),
    more: t("credits.partMore"),
  };
  return (
    <details className="more movement-parts">
      <summary>
        {t("credits.parts", { count: parts.length })}{" "}
        <Icon name="down" size={16} className="chev" />
      </summary>
      <ul className="num">
        {parts.map(({ id, type, amount, balanceAfter, createdAt }, at) => (
          <li key={id}>
            <span>{type === "refund" ? names.refund : at === 0 ? names.first : names.more}</span>
            <Time at={new Date(createdAt)} />
            <Amount amount={amount} />
            <span>{t("credits.partBalance", { balance: format.number(balanceAfter) })}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
