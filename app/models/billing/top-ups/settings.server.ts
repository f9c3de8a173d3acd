import { z } from "zod";
import { amountOf, CURRENCY, findPack, type Pack } from "~/catalog";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { TopUpOff, TopUpStatus } from "~/generated/prisma/enums";
import { toMinorUnits } from "~/utils/money";

/** The terms that an owner agreed to, or is about to. Amounts in minor units. */
export interface TopUpTerms {
  /** Credits; fewer start a top-up. */
  threshold: number;
  skuKey: string;
  monthlyAmount: number;
  agreedAmount: number;
  agreedCurrency: string;
  /** Credits of the pack then; null where the owner agreed before they were kept. */
  agreedCredits: number | null;
}

const agreedTerms = z.object({
  threshold: z.int(),
  skuKey: z.string(),
  monthlyAmount: z.int(),
  agreedAmount: z.int(),
  agreedCurrency: z.string(),
  agreedCredits: z.int(),
}) satisfies z.ZodType<TopUpTerms>;

export type AgreedTerms = z.output<typeof agreedTerms>;

/** The form in which the terms wait for a card, in `card_terms`. */
const cardTerms = agreedTerms.extend({
  /** The page whose card they are for; missing where an earlier version wrote them. */
  requestId: z.uuid().optional(),
});

export type CardTerms = z.output<typeof cardTerms>;

export interface TopUpSettings {
  /** Null where it was never set up. */
  terms: TopUpTerms | null;
  /** The terms of the page that may still keep a card; null without one. */
  wanted: TopUpTerms | null;
  agreedAt: Date | null;
  /** The kept card; null while there is none. */
  card: { customerId: string; paymentMethodId: string } | null;
  customerId: string | null;
  off: { at: Date; reason: TopUpOff } | null;
  /** Whether a page is open that may still keep a card. */
  isWaiting: boolean;
}

/** Returns what an account's owner chose. */
export async function getTopUpSettings(
  accountId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<TopUpSettings> {
  const row = await db.accountSettings.findUnique({ where: { accountId } });
  const { threshold, skuKey, monthlyAmount, agreedAmount, agreedCurrency } = row ?? {};
  const hasTerms = threshold && skuKey && monthlyAmount && agreedAmount && agreedCurrency;
  const customerId = row?.providerCustomerId ?? null;
  const paymentMethodId = row?.paymentMethodId ?? null;
  const cardRequest = row?.cardRequest ?? null;
  return {
    terms: hasTerms
      ? {
          ...{ threshold, skuKey, agreedCurrency },
          monthlyAmount: toMinorUnits(monthlyAmount),
          agreedAmount: toMinorUnits(agreedAmount),
          agreedCredits: row?.agreedCredits ?? null,
        }
      : null,
    wanted: cardRequest === null ? null : readCardTerms(row?.cardTerms, cardRequest),
    agreedAt: row?.agreedAt ?? null,
    customerId,
    card: customerId && paymentMethodId ? { customerId, paymentMethodId } : null,
    off: row?.offAt && row.offReason ? { at: row.offAt, reason: row.offReason } : null,
    isWaiting: cardRequest !== null,
  };
}

/** The terms of an open page. Another one's may still lie there: an earlier version names its page and leaves them. */
function readCardTerms(stored: unknown, cardRequest: string): TopUpTerms | null {
  const { data } = cardTerms.safeParse(stored);
  if (!data) return null;
  const { requestId = cardRequest, ...terms } = data;
  return requestId === cardRequest ? terms : null;
}

/** An attempt as its owner sees it. Amounts in minor units. */
export interface ListedTopUp {
  id: string;
  skuKey: string;
  amount: number;
  currency: string;
  /** Null where they weren't kept. */
  credits: number | null;
  status: TopUpStatus;
  reason: string | null;
  createdAt: Date;
}

/** The newest attempts. */
export async function listTopUps(
  { accountId, limit }: { accountId: string; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<ListedTopUp[]> {
  const rows = await db.topUp.findMany({
    where: { accountId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit,
    select: {
      ...{ id: true, skuKey: true, amount: true, currency: true, credits: true },
      ...{ status: true, reason: true, createdAt: true },
    },
  });
  return rows.map((row) => ({ ...row, amount: toMinorUnits(row.amount) }));
}

/** The pack of these terms, if it costs and brings what was agreed to. */
export function findAgreedPack(
  terms: Pick<TopUpTerms, "skuKey" | "agreedAmount" | "agreedCurrency" | "agreedCredits">,
): Pack | null {
  const pack = findPack(terms.skuKey);
  if (!pack || terms.agreedCurrency !== CURRENCY) return null;
  if ((terms.agreedCredits ?? pack.credits) !== pack.credits) return null;
  return amountOf({ type: "pack", skuKey: pack.skuKey }) === terms.agreedAmount ? pack : null;
}
