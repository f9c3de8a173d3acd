import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { WriteToUs } from "~/components/support/write-to-us";
import { Notice } from "~/components/ui/notice";
import { Refusal } from "~/components/ui/refusal";
import { useWait } from "~/i18n/use-wait";
import type { ErrorCode } from "~/utils/error-codes";
import type { Refusal as Refused } from "~/utils/form-result";

/** Says that nothing was charged and what to do next. */
export function PaymentRefusal({
  refusal,
  texts: own,
}: {
  refusal: Refused | undefined;
  /** The page's own words for some codes. */
  texts?: Partial<Record<ErrorCode, string>>;
}) {
  const t = useTranslations();
  const { locale } = useParams();
  const wait = useWait();
  if (!refusal) return null;
  const texts: Partial<Record<ErrorCode, string>> = {
    already_subscribed: t("payments.alreadySubscribed"),
    provider_error: t("payments.providerError"),
    payments_unavailable: t("payments.unavailable"),
    not_for_sale: t("payments.notForSale"),
    rate_limited: `${t("payments.rateLimited")} ${wait(Number(refusal.figures.retryAfterSeconds) || 60)}`,
    idempotency_in_progress: t("payments.inProgress"),
    no_customer: t("payments.noCustomer"),
    customer_conflict: t("payments.customerConflict"),
    email_unverified: t("payments.emailUnverified"),
    no_subscription: t("payments.noSubscription"),
    subscription_ended: t("resumePlan.ended"),
    plan_unchanged: t("payments.planUnchanged"),
    plan_locked: t("payments.planLocked"),
    price_outdated: t("payments.priceOutdated"),
    ...own,
  };
  return (
    <Refusal>
      <Notice tone="bad">
        {texts[refusal.code] ?? t("payments.unknownItem")}{" "}
        {refusal.code === "already_subscribed" ? (
          <a href={`/${locale}/account/billing`} className="text-accent-ink underline">
            {t("pricing.manage")}
          </a>
        ) : null}
        {refusal.code === "customer_conflict" ? <WriteToUs /> : null}
        {refusal.code === "email_unverified" ? (
          <a href={`/${locale}/account/profile`} className="text-accent-ink underline">
            {t("payments.verifyEmail")}
          </a>
        ) : null}
      </Notice>
    </Refusal>
  );
}
