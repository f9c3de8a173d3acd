import type { PaymentProviderName } from "~/env/payments";
import {
  type Comparison,
  isForeign,
  isWanted,
} from "~/models/billing/reconciliation/comparison.server";
import {
  type Difference,
  forOperator,
  repairable,
} from "~/models/billing/reconciliation/difference";
import { findReturned } from "~/models/billing/returns/find-returned.server";
import {
  type KnownReturn,
  listKept,
  listReturnsOf,
  unexplainedOf,
} from "~/models/billing/returns/known-returns.server";
import { isShareKnown } from "~/models/billing/returns/match-period.server";
import { AWAY, sumReturned } from "~/models/billing/shares/returned-share";
import {
  type PaymentReturned,
  RETURN_STATES,
  type ReturnKind,
} from "~/services/payments/billing-event";
import { formatAmount } from "~/utils/money";

/** Compares a refund, a dispute or a figure at the provider with what is known of it here. */
export async function compareReturn(
  event: PaymentReturned,
  comparison: Comparison,
): Promise<Difference[]> {
  const { paymentId, metadata } = event.payment;
  if (!paymentId) return [];
  const { db, records } = comparison;
  const provider = records.name;
  const { payment, currency } = event;
  const known = await listReturnsOf({ provider, paymentId }, db);
  if (event.amount === 0 && known.length === 0) return [];
  const returned = await findReturned({ provider, payment, currency, guess: true }, db);
  const userId = returned?.userId ?? metadata?.userId ?? null;
  if (!isWanted(comparison, userId)) return [];
  const found = { provider, object: `payment ${paymentId}`, userId };
  const { says, advice } = findDifference(event, known, comparison);
  if (advice) return [forOperator({ ...found, says }, advice)];
  const isKept = known.some(
    (row) => row.userId === null && row.droppedReason === null && row.currency === currency,
  );
  const isUsable = returned && (await isShareKnown({ provider, event, returned }, db));
  if (!says && !(isUsable && isKept)) return [];
  if (!returned) return compareUnknown(event, says, comparison);
  const does = `settle it with the ${returned.of === "order" ? "order's" : "paid period's"} credits`;
  return [repairable({ ...found, says: says || "kept here, its payment is known" }, does, [event])];
}

/** A difference of one payment. */
interface Finding {
  /** Empty if there is none. */
  says: string;
  /** The operator's next step; null if it can be repaired. */
  advice: string | null;
}

const SAME: Finding = { says: "", advice: null };

function findDifference(
  event: PaymentReturned,
  known: KnownReturn[],
  { records: { name } }: Comparison,
): Finding {
  if (known.some(({ droppedReason }) => droppedReason !== null)) return SAME;
  return event.returnId === null
    ? compareFigure(event, known, name)
    : { says: describeNamed(event, known, name), advice: null };
}

const VERBS: Record<ReturnKind, string> = { refund: "paid back", dispute: "disputed" };

function describeNamed(
  { of, returnId, state, amount, currency }: PaymentReturned,
  known: KnownReturn[],
  provider: PaymentProviderName,
): string {
  const there = formatAmount({ amount, currency });
  const row = known.find(({ providerReturnId }) => providerReturnId === returnId);
  if (row) {
    const states: readonly string[] = RETURN_STATES[of];
    const isBehind = states.indexOf(row.state) < states.indexOf(state);
    return isBehind ? `${of} ${returnId} of ${there} ${state} there, ${row.state} here` : "";
  }
  if (!AWAY.includes(state))
    return state === "inquiry" ? "" : `${of} ${returnId} of ${there} ${state} there, unknown here`;
  const here = sumReturned(known, provider, { currency })[of];
  // A figure that was told may hold it. It gets its row all the same: the figure may hold another one.
  const figures = known.filter(({ kind, providerReturnId }) => kind === of && !providerReturnId);
  if (figures.some((figure) => unexplainedOf(figure, known) >= amount))
    return `${of} ${returnId} of ${there} there, here only a sum of ${formatAmount({ amount: here, currency })}`;
  return `${there} ${VERBS[of]} there, ${formatAmount({ amount: here, currency })} here`;
}

/** A sum at the provider that doesn't say of what it is: less than it here, more, or the same by other returns. */
function compareFigure(
  { of, amount, currency }: PaymentReturned,
  known: KnownReturn[],
  provider: PaymentProviderName,
): Finding {
  const now = sumReturned(known, provider, { currency });
  const worst = sumReturned(known, provider, { currency, moment: "at_worst" });
  const here = now.refund + now.dispute;
  if (amount === here) return SAME;
  const [there, shown] = [amount, here].map((sum) => formatAmount({ amount: sum, currency }));
  if (amount < here)
    return {
      says: `only ${there} ${VERBS[of]} there, ${shown} here`,
      advice:
        "tell it: npm run billing -- dispute-won, or npm run billing -- refund-failed; a refund that is still pending there isn't in its sum yet",
    };
  const says = `${there} ${VERBS[of]} there, ${shown} here`;
  if (amount > worst.refund + worst.dispute) return { says, advice: null };
  return {
    says: `${says}; a dispute that was won here, or a refund that failed, may hide another one`,
    advice: `look at the payment at ${provider}: if another refund or dispute was made, have its webhook sent again`,
  };
}

/** A return of a customer of ours that no payment here belongs to. */
async function compareUnknown(
  event: PaymentReturned,
  says: string,
  comparison: Comparison,
): Promise<Difference[]> {
  if (!says) return [];
  const { db, records, userId: wanted } = comparison;
  const provider = records.name;
  const { metadata, providerSubscriptionId, customerId, paymentId } = event.payment;
  const object = `payment ${paymentId}`;
  if (metadata?.skuKey && !(await isForeign(comparison, metadata)))
    return [
      forOperator(
        { provider, object, userId: metadata.userId, says: `${says}, no order here` },
        "its order comes first: --apply, with a --since before it was paid",
      ),
    ];
  const owner = await db.subscription.findFirst({
    where: {
      provider,
      ...(wanted ? { userId: wanted } : {}),
      OR: [
        ...(providerSubscriptionId ? [{ providerSubscriptionId }] : []),
        ...(customerId ? [{ providerCustomerId: customerId }] : []),
      ],
    },
    select: { userId: true },
  });
  if (!owner) return [];
  const found = { provider, object, userId: owner.userId, says: `${says}, no payment here` };
  return [repairable(found, "keep it until its payment comes", [event])];
}

/** Returns that are kept because their payment or their share is unknown here; none if only one user's are compared. */
export async function listKeptReturns({ db, records, userId }: Comparison): Promise<Difference[]> {
  if (userId !== null) return [];
  const kept = await listKept({ provider: records.name }, db);
  return kept.map(({ kind, amount, currency, providerPaymentId }) =>
    forOperator(
      {
        provider: records.name,
        object: `payment ${providerPaymentId}`,
        userId: null,
        says: `${kind} of ${formatAmount({ amount, currency })}, its payment or its share of it is unknown here`,
      },
      "look it up there; npm run billing -- returns applies it, or drops it if it is none of yours",
    ),
  );
}
