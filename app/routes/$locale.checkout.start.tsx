import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { VerifyFirst } from "~/components/account/verify-first";
import { providerName } from "~/components/billing/provider-name";
import { NarrowPage } from "~/components/narrow-page";
import { PaymentRefusal } from "~/components/payments/payment-refusal";
import { useWantedItem } from "~/components/payments/use-wanted-item";
import { Button } from "~/components/ui/button";
import { PAYMENT_PROVIDERS } from "~/env/payments";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { entryPath } from "~/server/accounts/entry-page.server";
import { lacksVerification } from "~/server/accounts/require-verified-email.server";
import { getUser, requirePageUser } from "~/server/accounts/session.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readWantedItem } from "~/services/payments/wanted-item";
import { pageHeaders } from "~/utils/page-headers";
import { checkoutFromForm, findMemberPlan } from "./$locale.pricing.server";

export const headers = pageHeaders;

/**
 * The last step before the provider's page for somebody who chose an item and then got in. Who has just signed
 * in passes it by; it is seen when the checkout couldn't start at once.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { pathname, search } = new URL(request.url);
  const item = readWantedItem(pathname + search);
  const { provider } = getEnv().payments;
  if (!item || !provider) throw redirect(`/${locale}/pricing`);
  const user = await getUser(request);
  if (!user) throw redirect(await entryPath(request, { locale, redirectTo: pathname + search }));
  // Pricing has the way from one plan to another.
  if (item.intent === "plan" && (await findMemberPlan(user.id)))
    throw redirect(`/${locale}/pricing`);
  const needsEmail = PAYMENT_PROVIDERS[provider].needsVerifiedEmail;
  return {
    title: translatorFor(locale)("checkoutStart.title"),
    locale,
    item,
    provider,
    email: user.email,
    verifyFirst: needsEmail && lacksVerification(user),
    here: pathname + search,
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  return checkoutFromForm(request, { user: await requirePageUser(request, locale), locale });
}

export default function CheckoutStart() {
  const t = useTranslations();
  const { locale, item, provider, email, verifyFirst, here } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>()?.refusal;
  const words = useWantedItem(item);
  const { intent, ...fields } = item;
  return (
    <NarrowPage
      title={words ? t("checkoutStart.buy", { item: words }) : t("checkoutStart.title")}
      lead={t("checkoutStart.lead", { provider: providerName(provider), email })}
      notices={<PaymentRefusal refusal={refusal} />}
      after={
        <p className="center">
          <a href={`/${locale}/pricing`} className="link-24">
            {t("checkoutStart.other")}
          </a>
        </p>
      }
    >
      {verifyFirst ? (
        <VerifyFirst email={email} returnTo={here}>
          {t("checkoutStart.verifyFirst")}
        </VerifyFirst>
      ) : (
        <form method="post" data-reload-on-return className="stack">
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Button size="large" wide name="intent" value={intent}>
            {t("checkoutStart.go", { provider: providerName(provider) })}
          </Button>
        </form>
      )}
    </NarrowPage>
  );
}
