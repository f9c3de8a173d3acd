import { parseWithZod } from "@conform-to/zod/v4";
import { redirect } from "@remix-run/node";
import { getDb } from "~/db.server";
import { offersTopUp } from "~/env/payments";
import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { currentOffers } from "~/models/billing/checkouts/current-offers.server";
import { startCardPage } from "~/models/billing/top-ups/card-page.server";
import { sumOfMonth } from "~/models/billing/top-ups/month.server";
import {
  findAgreedPack,
  getTopUpSettings,
  listTopUps,
  type TopUpSettings,
} from "~/models/billing/top-ups/settings.server";
import { findShownCard, type ShownCard } from "~/models/billing/top-ups/shown-card.server";
import { agreeToTerms } from "~/models/billing/top-ups/terms.server";
import { turnOffTopUp } from "~/models/billing/top-ups/turn-off.server";
import { accountOf } from "~/models/metering/runs.server";
import { requireFreshPage } from "~/server/accounts/step-up.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { limitCheckouts, requireSku } from "~/server/payments/payments.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireKeptCards } from "~/services/payments/get-payment-provider.server";
import { listTopUpFaults, readMonthlyAmount, topUpSchema } from "~/services/payments/top-up-form";
import { AppError } from "~/utils/app-error";
import { currentRequest } from "~/utils/request-context.server";

const LISTED = 10;

/** Whether top-up is on, for the page that leads here; null where there is nothing to see. */
export async function findTopUpState(user: SessionUser) {
  const accountId = accountOf(user);
  const settings = await getTopUpSettings(accountId);
  if (!offersTopUp(getEnv().payments) && !settings.card) return null;
  const { terms, off, agreedAt } = settings;
  const isSetUp = terms !== null && agreedAt !== null;
  const [latest] = isSetUp ? await listTopUps({ accountId, limit: 1 }) : [];
  return {
    ...{ isOn: isOn(settings), isSetUp, off },
    isPriceRight: terms !== null && findAgreedPack(terms) !== null,
    latest: latest ? { status: latest.status, reason: latest.reason } : null,
  };
}

const isOn = ({ card, terms, off, agreedAt }: TopUpSettings) =>
  card !== null && terms !== null && off === null && agreedAt !== null;

/**
 * Everything that the page shows; null where there is nothing to see. `response` is there if the provider was asked too
 * often: it says when to try again.
 */
export async function getTopUp(user: SessionUser) {
  const accountId = accountOf(user);
  const isOffered = offersTopUp(getEnv().payments);
  const settings = await getTopUpSettings(accountId);
  if (!isOffered && !settings.card) return null;
  const [month, attempts, { card, response }] = await Promise.all([
    sumOfMonth(accountId),
    listTopUps({ accountId, limit: LISTED }),
    askCard(user.id, settings.card),
  ]);
  const { terms, wanted, off, agreedAt, isWaiting } = settings;
  const topUp = {
    isOffered,
    isOn: isOn(settings),
    packs: isOffered ? (currentOffers()?.packs ?? []) : [],
    isPriceRight: terms !== null && findAgreedPack(terms) !== null,
    ...{ card, terms, wanted, off, agreedAt, isWaiting, month, attempts },
  };
  return { topUp, response };
}

/** Asks the provider for the card, but not for a refused form, and not more often than a page may. */
async function askCard(
  userId: string,
  card: TopUpSettings["card"],
): Promise<{ card: ShownCard | null; response: ResponseInit | null }> {
  if (!card) return { card: null, response: null };
  if (currentRequest()?.method === "POST") return { card: { status: "unknown" }, response: null };
  try {
    await enforceRateLimit(limitRule("billing-page-user", userId));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { status, headers } = error;
    return { card: { status: "limited" }, response: { status, headers } };
  }
  return { card: await findShownCard(card, requireKeptCards()), response: null };
}

interface Posted {
  form: FormData;
  user: SessionUser;
  locale: Locale;
}

/** Turns it off and has the card removed. It needs no proof: whoever holds a session may take power away. */
export async function turnOffFromForm({ user, locale }: Posted) {
  const accountId = accountOf(user);
  await getDb().$transaction((it) => turnOffTopUp({ accountId, reason: "owner" }, it));
  return redirect(`/${locale}/account/billing/top-up?done=off`, 303);
}

/** Saves the terms for the card that is kept, or leads to the page that keeps one for them. */
export async function saveFromForm({ form, user, locale }: Posted) {
  const submission = parseWithZod(form, { schema: topUpSchema });
  if (submission.status !== "success") return formRefused({ submission, hide: [] });
  const fieldErrors = listTopUpFaults(submission.value);
  if (Object.keys(fieldErrors).length > 0)
    return formRefused({ submission, hide: [], fieldErrors });
  const path = `/${locale}/account/billing/top-up`;
  const intent = form.get("intent") === "save" ? "save" : "card";
  const { threshold, skuKey, monthlyAmount, shown } = submission.value;
  const fields = { intent, threshold: String(threshold), skuKey, monthlyAmount, shown };
  await requireFreshPage(user, { locale, path, form: { action: path, fields, what: "top_up" } });
  try {
    requireSku(skuKey);
    if (!offersTopUp(getEnv().payments)) throw notOffered();
    const terms = {
      ...{ accountId: accountOf(user), threshold, skuKey },
      monthlyAmount: readMonthlyAmount(monthlyAmount),
    };
    if (intent === "card") {
      await limitCheckouts(user.id);
      return redirect(await startCardPage({ user, locale, terms }, requireKeptCards()), 303);
    }
    const saved = await getDb().$transaction((it) => agreeToTerms(terms, it));
    return redirect(`${path}?done=${saved ? "saved" : "no-card"}`, 303);
  } catch (error) {
    return formRefused({ error });
  }
}

const notOffered = () =>
  new AppError({
    code: "payments_unavailable",
    publicMessage: "Automatic top-up isn't offered here. Nothing was charged or changed.",
  });
