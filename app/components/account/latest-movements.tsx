import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Amount } from "~/components/credits/amount";
import { MovementName } from "~/components/credits/movement-name";
import type { Movement } from "~/models/accounts/movement";

/** The latest movements of credits, with a link to all of them. */
export function LatestMovements({ movements }: { movements: Movement[] }) {
  const t = useTranslations();
  const { locale } = useParams();
  return (
    <section className="card card-flush dash-latest" aria-labelledby="latest">
      <div className="card-head card-head-line">
        <h2 id="latest" className="h-small">
          {t("account.latest")}
        </h2>
        <a href={`/${locale}/account/credits`} className="small link-24">
          {t("account.seeAll")}
          <span className="sr-only"> {t("account.seeAllOf")}</span>
        </a>
      </div>
      <ul className="list">
        {movements.map((movement) => (
          <li key={movement.id}>
            <MovementName movement={movement} showsTime />
            <Amount amount={movement.amount} isLost={movement.type === "expiry"} />
          </li>
        ))}
      </ul>
    </section>
  );
}
