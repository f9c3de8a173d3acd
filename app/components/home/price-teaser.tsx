import { useParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { ActionKey, Pack } from "~/catalog";
import { findBestValue, planPricePerImage, pricePerImage } from "~/components/pricing/price-facts";
import { Badge } from "~/components/ui/badge";
import { useCreditWords } from "~/components/use-credit-words";
import { usePriceTag } from "~/components/use-money";
import { usePlanName } from "~/components/use-plan-name";
import type { Offers, PlanOffer } from "~/models/billing/checkouts/offers";

interface PriceTeaserProps {
  offers: Offers;
  /** Credits per image; null while image generation is off. */
  imageCost: number | null;
  /** The action that credits are counted in while image generation is off; null if there is none. */
  other: ActionKey | null;
}

/** The smallest pack and the plans, each a link to the pricing page. */
export function PriceTeaser({ offers: { packs, plans }, imageCost, other }: PriceTeaserProps) {
  const t = useTranslations();
  const { locale } = useParams();
  const pricing = `/${locale}/pricing`;
  const best = findBestValue(plans);
  if (packs.length + plans.length === 0) return null;
  return (
    <section className="home-section" aria-labelledby="prices">
      <div className="section-head row row-between">
        <h2 id="prices">{t("home.pricesTitle")}</h2>
        <a href={pricing}>{t("home.allPrices")}</a>
      </div>
      <div className="teaser">
        {packs[0] ? (
          <PackTeaser
            href={`${pricing}#packs`}
            packs={packs}
            pack={packs[0]}
            imageCost={imageCost}
            other={other}
          />
        ) : null}
        {plans.map((plan) => (
          <PlanTeaser
            key={plan.planKey}
            href={pricing}
            plan={plan}
            isBest={plan.planKey === best}
            imageCost={imageCost}
            other={other}
          />
        ))}
      </div>
    </section>
  );
}

interface PackTeaserProps {
  href: string;
  pack: Pack;
  packs: Pack[];
  imageCost: number | null;
  other: ActionKey | null;
}

function PackTeaser({ href, pack, packs, imageCost, other }: PackTeaserProps) {
  const t = useTranslations();
  const priceTag = usePriceTag();
  const { bought } = useCreditWords();
  const { credits, amount } = pack;
  const cheapest =
    imageCost === null || packs.length < 2
      ? null
      : Math.min(...packs.map((other) => pricePerImage(other, imageCost).amount));
  return (
    <TeaserCard
      href={href}
      name={t("pricing.packs")}
      price={priceTag(amount)}
      what={
        imageCost === null
          ? t("home.packTeaserPlain", { credits })
          : t("home.packTeaser", { images: Math.floor(credits / imageCost) })
      }
      note={
        cheapest === null
          ? [...(other ? [`${bought(other, credits)}.`] : []), t("home.packNotePlain")].join(" ")
          : t("home.packNote", { price: priceTag(cheapest) })
      }
    />
  );
}

interface PlanTeaserProps {
  href: string;
  plan: PlanOffer;
  isBest: boolean;
  imageCost: number | null;
  other: ActionKey | null;
}

function PlanTeaser({ href, plan, isBest, imageCost, other }: PlanTeaserProps) {
  const t = useTranslations();
  const priceTag = usePriceTag();
  const planName = usePlanName();
  const { bought } = useCreditWords();
  const { planKey, creditsPerMonth: credits, prices } = plan;
  const [price, yearly] = prices;
  if (!price) return null;
  const perImage = (of: typeof price) =>
    imageCost === null ? "" : priceTag(planPricePerImage(plan, of, imageCost).amount);
  const note = yearly
    ? t("home.planNoteYearly", { price: perImage(price), yearly: perImage(yearly) })
    : t("home.planNote", { price: perImage(price) });
  return (
    <TeaserCard
      href={href}
      name={planName(planKey)}
      badge={isBest ? <Badge tone="accent">{t("pricing.bestValue")}</Badge> : null}
      isBest={isBest}
      price={priceTag(price.amount)}
      period={price.period === "month" ? t("pricing.aMonth") : t("pricing.aYear")}
      what={
        imageCost === null
          ? t("pricing.planCredits", { credits })
          : t("home.planTeaser", { images: Math.floor(credits / imageCost) })
      }
      note={imageCost === null ? other && bought(other, credits) : note}
    />
  );
}

interface TeaserCardProps {
  href: string;
  name: string;
  badge?: ReactNode;
  isBest?: boolean;
  price: string;
  period?: string;
  what: string;
  note: string | null;
}

function TeaserCard(props: TeaserCardProps) {
  const { href, name, badge, isBest = false, price, period, what, note } = props;
  return (
    <a className={isBest ? "card plan-best" : "card"} href={href}>
      <span className="row row-between">
        <span className="muted">{name}</span>
        {badge}
      </span>
      <span className="big big-44">
        {price}
        {period ? <small>{` ${period}`}</small> : null}
      </span>
      <span>{what}</span>
      {note ? <span className="small quiet">{note}</span> : null}
    </a>
  );
}
