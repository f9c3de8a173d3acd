import type { PaymentProviderName } from "~/env/payments";
import { findReturned } from "~/models/billing/returns/find-returned.server";
import {
  type KnownReturn,
  listKept,
  listReturnsOf,
} from "~/models/billing/returns/known-returns.server";
import { AWAY, sumReturned, unexplained } from "~/models/billing/shares/returned-share";
import {
  type PaymentReturned,
  RETURN_STATES,
  type ReturnKind,
} from "~/services/payments/billing-event";
import { formatAmount } from "~/utils/money";
import { type Comparison, isForeign, isWanted } from "./comparison";
import { type Difference, forOperator, repairable } from "./difference";

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
  const [says, isAhead] = describe(event, known, comparison);
  if (isAhead)
    return [
      forOperator(
        { ...found, says },
        "tell it: npm run billing -- dispute-won, or npm run billing -- refund-failed; a refund that is still pending there isn't in its sum yet",
      ),
    ];
  const isKept = known.some((row) => row.userId === null && row.droppedReason === null);
  if (!says && !(returned && isKept)) return [];
  if (!returned) return compareUnknown(event, says, comparison);
  const does = `settle it with the ${returned.of === "order" ? "order's" : "paid period's"} credits`;
  return [repairable({ ...found, says: says || "kept here, its payment is known" }, does, [event])];
}

/** The difference, empty if there is none, and whether more is away here than there. */
function describe(
  event: PaymentReturned,
  known: KnownReturn[],
  { records: { name } }: Comparison,
): [says: string, isAhead: boolean] {
  if (known.some(({ droppedReason }) => droppedReason !== null)) return ["", false];
  return event.returnId === null
    ? describeFigure(event, known, name)
    : [describeNamed(event, known, name), false];
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
  // A figure that was told holds it.
  const figures = known.filter(({ kind, providerReturnId }) => kind === of && !providerReturnId);
  if (figures.some((figure) => unexplained(figure, known, provider) >= amount)) return "";
  const here = sumReturned(known, provider)[of];
  return `${there} ${VERBS[of]} there, ${formatAmount({ amount: here, currency })} here`;
}

function describeFigure(
  { of, amount, currency }: PaymentReturned,
  known: KnownReturn[],
  provider: PaymentProviderName,
): [says: string, isAhead: boolean] {
  const now = sumReturned(known, provider);
  const worst = sumReturned(known, provider, "at_worst");
  const here = now.refund + now.dispute;
  const [there, shown] = [amount, here].map((sum) => formatAmount({ amount: sum, currency }));
  if (amount > worst.refund + worst.dispute)
    return [`${there} ${VERBS[of]} there, ${shown} here`, false];
  return here > amount ? [`only ${there} ${VERBS[of]} there, ${shown} here`, true] : ["", false];
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

/** Returns that are kept because their payment is unknown here; none if only one user's are compared. */
export async function listKeptReturns({ db, records, userId }: Comparison): Promise<Difference[]> {
  if (userId !== null) return [];
  const kept = await listKept({ provider: records.name }, db);
  return kept.map(({ kind, amount, currency, providerPaymentId }) =>
    forOperator(
      {
        provider: records.name,
        object: `payment ${providerPaymentId}`,
        userId: null,
        says: `${kind} of ${formatAmount({ amount, currency })}, its payment is unknown here`,
      },
      "look it up there; npm run billing -- returns applies it, or drops it if it is none of yours",
    ),
  );
}
