import { expect, test } from "vitest";
import { nameOf, PLAN, TOP_PLAN } from "#tests/fixtures/sold";
import { CURRENCY } from "~/catalog";
import { LOCALES, type Locale } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import { type PlanState, planSentence } from "~/models/billing/subscriptions/plan-sentence";
import { formatMoney } from "~/utils/money";

const AT = new Date("2026-12-23T00:00:00Z");

const RENEWING: PlanState = {
  planKey: TOP_PLAN.planKey,
  period: "month",
  status: "active",
  cancelAtPeriodEnd: false,
  periodEnd: AT,
  endedAt: null,
  planned: null,
};
const PLANNED = { planned: { planKey: PLAN.planKey, period: "year" } } as const;
const ENDS = { cancelAtPeriodEnd: true };
const UNDATED = { periodEnd: null };

/** By language. A language that a product adds has its own texts, and no sentence here. */
type Words = Record<string, string>;

/** Each state, and its sentence. {plan}, {next}, {price}, {nextPrice} and {day} stand for the catalog's and the page's own. */
const STATES: [string, Partial<PlanState>, Words][] = [
  [
    "renews",
    {},
    {
      en: "Your {plan} renews on {day} for {price} a month.",
      es: "Tu {plan} se renueva el {day} por {price} al mes.",
      zh: "您的 {plan}将于{day}以每月 {price} 续订。",
    },
  ],
  [
    "renews, date unknown",
    UNDATED,
    {
      en: "Your {plan} renews at the end of its period.",
      es: "Tu {plan} se renueva al final de su periodo.",
      zh: "您的 {plan}将在周期结束时续订。",
    },
  ],
  [
    "a change is planned",
    PLANNED,
    {
      en: "Your {plan} runs until {day}. Then you switch to the {next} for {nextPrice} a year.",
      es: "Tu {plan} sigue hasta el {day}. Después pasas al {next} por {nextPrice} al año.",
      zh: "您的 {plan}可用到{day}，之后改为 {next}，每年 {nextPrice}。",
    },
  ],
  [
    "a change is planned, date unknown",
    { ...PLANNED, ...UNDATED },
    {
      en: "Your {plan} runs until the end of its period. Then you switch to the {next} for {nextPrice} a year.",
      es: "Tu {plan} sigue hasta el final de su periodo. Después pasas al {next} por {nextPrice} al año.",
      zh: "您的 {plan}可用到周期结束，之后改为 {next}，每年 {nextPrice}。",
    },
  ],
  [
    "cancelled",
    ENDS,
    {
      en: "Your {plan} ends on {day}. You won’t be charged again.",
      es: "Tu {plan} termina el {day}. No se te volverá a cobrar.",
      zh: "您的 {plan}将于{day}结束，之后不再扣款。",
    },
  ],
  [
    "cancelled, and a change was planned",
    { ...ENDS, ...PLANNED },
    {
      en: "Your {plan} ends on {day}. You won’t be charged again.",
      es: "Tu {plan} termina el {day}. No se te volverá a cobrar.",
      zh: "您的 {plan}将于{day}结束，之后不再扣款。",
    },
  ],
  [
    "cancelled, date unknown",
    { ...ENDS, ...UNDATED },
    {
      en: "Your {plan} ends with its period. You won’t be charged again.",
      es: "Tu {plan} termina con su periodo. No se te volverá a cobrar.",
      zh: "您的 {plan}将在周期结束时终止，之后不再扣款。",
    },
  ],
  [
    "trial",
    { status: "trialing" },
    {
      en: "Your trial of the {plan} ends on {day}. Then you pay {price} a month.",
      es: "Tu prueba del {plan} termina el {day}. Después pagas {price} al mes.",
      zh: "您的 {plan}试用将于{day}结束，之后每月 {price}。",
    },
  ],
  [
    "trial, date unknown",
    { status: "trialing", ...UNDATED },
    {
      en: "You’re trying the {plan}. When the trial ends, you pay {price} a month.",
      es: "Estás probando el {plan}. Cuando termine la prueba, pagas {price} al mes.",
      zh: "您正在试用 {plan}。试用结束后，每月 {price}。",
    },
  ],
  [
    "trial, cancelled",
    { status: "trialing", ...ENDS },
    {
      en: "Your trial of the {plan} ends on {day}. You won’t be charged.",
      es: "Tu prueba del {plan} termina el {day}. No se te cobrará nada.",
      zh: "您的 {plan}试用将于{day}结束，不会扣款。",
    },
  ],
  [
    "trial, cancelled, date unknown",
    { status: "trialing", ...ENDS, ...UNDATED },
    {
      en: "Your trial of the {plan} ends by itself. You won’t be charged.",
      es: "Tu prueba del {plan} termina sola. No se te cobrará nada.",
      zh: "您的 {plan}试用到期后自动结束，不会扣款。",
    },
  ],
  [
    "payment failed",
    { status: "past_due" },
    {
      en: "The last payment for your {plan} failed. We’ll try again: check your card under “Card and invoices”.",
      es: "El último pago de tu {plan} falló. Lo intentaremos de nuevo: revisa tu tarjeta en «Tarjeta y facturas».",
      zh: "您的 {plan}最近一次付款失败，我们会再次尝试：请在“银行卡和发票”中检查您的银行卡。",
    },
  ],
  [
    "payment failed for good",
    { status: "unpaid" },
    {
      en: "The payment for your {plan} failed, and we won’t try again. To keep the plan, pay the open invoice under “Card and invoices”.",
      es: "El pago de tu {plan} falló y no lo intentaremos más. Para conservar el plan, paga la factura pendiente en «Tarjeta y facturas».",
      zh: "您的 {plan}付款失败，我们不会再尝试。要保留套餐，请在“银行卡和发票”中支付未结账单。",
    },
  ],
  ...(["past_due", "unpaid"] as const).map((status): [string, Partial<PlanState>, Words] => [
    `${status}, cancelled`,
    { status, ...ENDS },
    {
      en: "Your {plan} ends with its period. You may still be charged for the open payment.",
      es: "Tu {plan} termina con su periodo. Aún se te puede cobrar el pago pendiente.",
      zh: "您的 {plan}将在周期结束时终止。未结款项仍可能被扣取。",
    },
  ]),
  ...([{}, ENDS] as const).map((ends): [string, Partial<PlanState>, Words] => [
    `paused${"cancelAtPeriodEnd" in ends ? ", cancelled" : ""}`,
    { status: "paused", ...ends },
    {
      en: "Your {plan} is paused, and you aren’t charged. Resume it under “Card and invoices”.",
      es: "Tu {plan} está en pausa y no se te cobra nada. Reanúdalo en «Tarjeta y facturas».",
      zh: "您的 {plan}已暂停，暂停期间不扣款。请在“银行卡和发票”中恢复。",
    },
  ]),
  [
    "not confirmed",
    { status: "incomplete" },
    {
      en: "The payment provider hasn’t confirmed your {plan} yet. This takes about a minute.",
      es: "El proveedor de pagos aún no ha confirmado tu {plan}. Tarda más o menos un minuto.",
      zh: "付款服务商尚未确认您的 {plan}，大约需要一分钟。",
    },
  ],
  [
    "expired",
    { status: "expired" },
    {
      en: "The time you paid for is over, and no new payment came for your {plan}. The payment provider may try to charge you again until you cancel.",
      es: "El tiempo que pagaste ha terminado y no ha llegado otro pago de tu {plan}. El proveedor de pagos puede volver a intentar el cobro hasta que canceles.",
      zh: "您已付费的时间已结束，没有收到 {plan}的新付款。在您取消之前，付款服务商可能会再次尝试扣款。",
    },
  ],
  [
    "over",
    { status: "canceled", endedAt: AT },
    {
      en: "Your {plan} ended on {day}. You won’t be charged again.",
      es: "Tu {plan} terminó el {day}. No se te volverá a cobrar.",
      zh: "您的 {plan}已于{day}结束，不再扣款。",
    },
  ],
  [
    "over, date unknown",
    { status: "canceled", ...UNDATED },
    {
      en: "Your {plan} has ended. You won’t be charged again.",
      es: "Tu {plan} ha terminado. No se te volverá a cobrar.",
      zh: "您的 {plan}已结束，不再扣款。",
    },
  ],
  [
    "unknown",
    { status: "unknown" },
    {
      en: "The payment provider reports a status of your {plan} that we don’t know. You won’t get credits until we’ve sorted it out.",
      es: "El proveedor de pagos indica un estado de tu {plan} que no conocemos. No recibirás créditos hasta que lo aclaremos.",
      zh: "付款服务商报告了您的 {plan}的一个我们无法识别的状态。在我们查明之前，您不会获得积分。",
    },
  ],
];

const penOf = (locale: Locale) => {
  const format = new Intl.DateTimeFormat(locale, { timeZone: "UTC", dateStyle: "long" });
  return { t: translatorFor(locale), locale, day: (at: Date) => format.format(at) };
};

test.each(STATES)("a plan's state is said in every language: %s", (_name, state, words) => {
  const known = LOCALES.filter((locale) => locale in words);
  expect(known).not.toEqual([]);
  for (const locale of known) {
    const pen = penOf(locale);
    const money = (amount: number) => formatMoney({ amount, currency: CURRENCY }, locale);
    const expected = String(words[locale])
      .replace("{plan}", nameOf(TOP_PLAN, locale))
      .replace("{next}", nameOf(PLAN, locale))
      .replace("{price}", money(TOP_PLAN.amounts.month))
      .replace("{nextPrice}", money(PLAN.amounts.year))
      .replace("{day}", pen.day(AT));
    expect(planSentence({ ...RENEWING, ...state }, pen)).toBe(expected);
  }
});
