import { CURRENCY, type Pack } from "~/catalog";
import type { Pen } from "~/models/email-delivery/contents/pen.server";
import type { EmailContent } from "~/services/emails/email-content";
import { formatMoney } from "~/utils/money";

/** `packs` are those on sale; none while payments are off. */
export function lowBalance(
  { t, product, locale, page }: Pen,
  { balance, mark, packs }: { balance: number; mark: number; packs: readonly Pack[] },
): EmailContent {
  const prices = packs.map(({ credits, amount }): [string, string] => [
    t("pricing.packCredits", { credits }),
    formatMoney({ amount, currency: CURRENCY }, locale),
  ]);
  return {
    subject: t("mail.lowSubject", { balance }),
    figure: balance.toLocaleString(locale),
    heading: t("mail.lowTitle"),
    blocks: [
      { type: "text", text: t("mail.lowIntro", { mark }) },
      packs.length > 0
        ? { type: "button", label: t("mail.lowButton"), url: page("pricing") }
        : { type: "button", label: t("mail.accountButton"), url: page("account") },
      ...(packs.length > 0
        ? [{ type: "facts", title: t("mail.lowPrices"), rows: prices } as const]
        : []),
      { type: "link", label: t("mail.lowLink"), url: page("account/limits") },
    ],
    reason: t("mail.reasonAccount", { product }),
  };
}

/** `keyName` is null for the account's own limit. `month` is the limit's, by its first day. */
export function monthlyLimit(
  { t, product, page, day }: Pen,
  {
    keyName,
    percent,
    used,
    limit,
    month,
  }: { keyName: string | null; percent: number; used: number; limit: number; month: Date },
): EmailContent {
  const next = day(new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1)));
  const isFull = percent === 100;
  const title =
    keyName === null
      ? t(isFull ? "mail.limitFullTitle" : "mail.limitNearTitle")
      : t(isFull ? "mail.keyLimitFullTitle" : "mail.keyLimitNearTitle", { name: keyName });
  return {
    subject: title,
    heading: title,
    blocks: [
      { type: "text", text: t("mail.limitUsed", { used, limit }) },
      { type: "text", text: t(isFull ? "mail.limitFullNote" : "mail.limitNearNote", { next }) },
      keyName === null
        ? { type: "button", label: t("mail.limitButton"), url: page("account/limits") }
        : { type: "button", label: t("mail.apiKeysButton"), url: page("account/api-keys") },
    ],
    reason: t("mail.reasonAccount", { product }),
  };
}
