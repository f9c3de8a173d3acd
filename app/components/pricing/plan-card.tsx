import { useFormatter, useTranslations } from "use-intl";
import type { ActionKey } from "~/catalog";
import { shownFor } from "~/components/pricing/period-switch";
import { PlanAction } from "~/components/pricing/plan-action";
import { PlanPrice } from "~/components/pricing/plan-price";
import { savingAgainstPack } from "~/components/pricing/price-facts";
import { useImageWords } from "~/components/pricing/use-image-words";
import { Badge } from "~/components/ui/badge";
import { Coin } from "~/components/ui/coin";
import { Ticks } from "~/components/ui/ticks";
import { useCreditWords } from "~/components/use-credit-words";
import { usePlanName } from "~/components/use-plan-name";
import type { PaymentProviderName } from "~/env/payments";
import type { Offers, PlanOffer } from "~/models/billing/checkouts/offers";
import type { MemberPlan } from "./member-plan";

interface PlanCardProps {
  plan: PlanOffer;
  isBest: boolean;
  member: MemberPlan | null;
  imageCost: number | null;
  /** The action that credits are counted in while image generation is off; null if there is none. */
  other: ActionKey | null;
  provider: PaymentProviderName;
  packs: Offers["packs"];
}

/** One plan: its price, its credits, what they buy, and the button. */
export function PlanCard({
  plan,
  isBest,
  member,
  imageCost,
  other,
  provider,
  packs,
}: PlanCardProps) {
  const t = useTranslations();
  const planName = usePlanName();
  const words = useImageWords(imageCost);
  const { bought } = useCreditWords();
  const { planKey, prices, creditsPerMonth: credits } = plan;
  const isOwn = (period: string) => member?.planKey === planKey && member.period === period;
  return (
    <li className={isBest ? "card plan plan-best" : "card plan"}>
      <div className="card-head">
        <h2>{planName(planKey)}</h2>
        {prices.map(({ period }) =>
          isOwn(period) ? (
            <span key={period} className={shownFor(period, plan)}>
              <Badge tone="accent" icon="check">
                {t("pricing.yourPlan")}
              </Badge>
            </span>
          ) : null,
        )}
        {isBest && member?.planKey !== planKey ? (
          <Badge tone="accent">{t("pricing.bestValue")}</Badge>
        ) : null}
      </div>
      {words ? <p className="muted">{words.pace(credits)}</p> : null}
      {prices.map(({ period }) => (
        <PlanPrice key={period} plan={plan} period={period} className={shownFor(period, plan)} />
      ))}
      <p className="plan-credits">
        <Coin />
        <span>
          <b>{t("pricing.planCredits", { credits })}</b>
          {words
            ? prices.map((price) => (
                <span key={price.period} className={`muted ${shownFor(price.period, plan)}`}>
                  {words.planImages(plan, price)}
                </span>
              ))
            : null}
          {other ? <span className="muted">{bought(other, credits)}</span> : null}
        </span>
      </p>
      <div className="stack stack-2">
        {prices.map(({ period }) => (
          <PlanAction
            key={period}
            target={{ planKey, period }}
            className={shownFor(period, plan)}
            look={isBest ? "primary" : "secondary"}
            member={member}
            provider={provider}
          />
        ))}
      </div>
      {prices.map((price) => (
        <PlanSaving
          key={price.period}
          saving={savingAgainstPack(plan, price, packs)}
          className={shownFor(price.period, plan)}
        />
      ))}
      <p className="small muted">{t("pricing.unusedEnd")}</p>
    </li>
  );
}

/** How much less the plan's credits cost: what one plan has over another. */
function PlanSaving({
  saving,
  className,
}: {
  saving: ReturnType<typeof savingAgainstPack>;
  className: string;
}) {
  const t = useTranslations();
  const format = useFormatter();
  if (!saving) return null;
  const { credits, share } = saving;
  const percent = format.number(share, { style: "percent" });
  return (
    <div className={className}>
      <Ticks items={[{ key: "saving", text: t("pricing.cheaper", { credits, percent }) }]} />
    </div>
  );
}
