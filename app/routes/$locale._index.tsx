import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { DoneNotice } from "~/components/done-notice";
import { Features } from "~/components/home/features";
import { ForDevelopers } from "~/components/home/for-developers";
import { Hero } from "~/components/home/hero";
import { LastCall } from "~/components/home/last-call";
import { PriceTeaser } from "~/components/home/price-teaser";
import { Samples } from "~/components/home/samples";
import { Steps } from "~/components/home/steps";
import type { PageHandle } from "~/components/page-handle";
import { ProductQuestions } from "~/components/product-questions";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import type { loader as layoutLoader } from "~/routes/$locale";
import { requireLocale } from "~/server/request/locale-param.server";
import { getProductFacts } from "~/server/site/product-facts.server";

export const handle: PageHandle = { sameForAll: true };

export function loader({ request, params }: LoaderFunctionArgs) {
  const t = translatorFor(requireLocale(params));
  const facts = getProductFacts();
  return {
    title:
      facts.imageCost === null
        ? `${t("home.plainLine1")} ${t("home.plainLine2")}`
        : `${t("home.line1")} ${t("home.line2")}`,
    done: new URL(request.url).searchParams.get("done"),
    facts,
    forDevelopers: getEnv().developerSection,
  };
}

/** The start page. All its texts stand in the `home` part of the translations. */
export default function Home() {
  const t = useTranslations();
  const { done, facts, forDevelopers } = useLoaderData<typeof loader>();
  const frame = useRouteLoaderData<typeof layoutLoader>("routes/$locale");
  const isSignedIn = Boolean(frame?.user);
  const hasImages = facts.imageCost !== null;
  const other = hasImages ? null : (facts.actions[0] ?? null);
  return (
    <main id="main">
      <DoneBar done={done} text={isSignedIn ? null : t("home.signedOut")} />
      <Hero facts={facts} isSignedIn={isSignedIn} />
      <div className="wrap">
        {hasImages ? <Steps /> : null}
        <Features facts={facts} />
        {hasImages ? <Samples /> : null}
        {facts.offers ? (
          <PriceTeaser offers={facts.offers} imageCost={facts.imageCost} other={other} />
        ) : null}
        {forDevelopers ? <ForDevelopers hasImages={hasImages} /> : null}
        <section className="home-section narrow" aria-labelledby="questions">
          <h2 id="questions">{t("questions.title")}</h2>
          <ProductQuestions facts={facts} />
        </section>
        {isSignedIn ? null : <LastCall facts={facts} />}
      </div>
    </main>
  );
}

/** Says above everything else that signing out worked. */
function DoneBar({ done, text }: { done: string | null; text: string | null }) {
  if (done !== "signed-out" || text === null) return null;
  return (
    <div className="wrap done-bar">
      <DoneNotice done={done} texts={{ "signed-out": text }} />
    </div>
  );
}
