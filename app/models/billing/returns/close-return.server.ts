import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { newClosedId } from "~/models/billing/returns/closed-rows.server";
import {
  type KnownReturn,
  listReturnsOf,
  returnedOf,
  unexplainedOf,
} from "~/models/billing/returns/known-returns.server";
import { lockAllReturned, settleReturned } from "~/models/billing/returns/returns.server";
import { AWAY, FIGURES } from "~/models/billing/shares/returned-share";
import { getBalance } from "~/models/credits/balance.server";
import type { ReturnKind, ReturnState } from "~/services/payments/billing-event";

/** How money comes back of a return: a dispute is won, or a refund fails. */
const ENDS: Record<ReturnKind, ReturnState> = { dispute: "won", refund: "failed" };

/** Names the sum of a payment that no return's id explains. */
export const UNNAMED = "unnamed";

export type ClosedReturn =
  /** `credits` were given back. */
  | { status: "closed"; userId: string; of: "order" | "period"; returnId: string; credits: number }
  /** Its money came back before; nothing was changed. */
  | { status: "closed_before"; returnId: string }
  /** No such return of this payment is away here. `known` are all that it has. */
  | { status: "unknown"; known: KnownReturn[] }
  /** Its payment is unknown here, so nothing was taken: from now on it counts nothing. */
  | { status: "closed_kept"; returnId: string }
  /** Several are open, or one was closed before and another is open: the operator has to name one. */
  | { status: "several"; returnIds: string[] };

interface Closing {
  provider: PaymentProviderName;
  /** By any id that the provider gives it. */
  paymentId: string;
  kind: ReturnKind;
  /** The provider's id of the refund or dispute, or `UNNAMED`; needed only if several are open. */
  returnId: string | null;
}

/**
 * Notes that a dispute was won or that a refund failed, as the operator tells, and gives back what it
 * took. Doing it again changes nothing.
 */
export async function closeReturn(
  closing: Closing,
  transaction: Transaction,
): Promise<ClosedReturn> {
  const found = await listReturnsOf(closing, transaction);
  if (found.length === 0) return { status: "unknown", known: [] };
  await lockAllReturned(
    found.flatMap((row) => returnedOf(row) ?? []),
    transaction,
  );
  const rows = await listReturnsOf(closing, transaction);
  const open = listOpen(rows, closing);
  const { returnId } = closing;
  const fitting = returnId === null ? open : open.filter((row) => nameOf(row) === returnId);
  const [row] = fitting;
  const before = closedBefore(rows, closing);
  if (!row) return before;
  // The same command once more is no order to close the next one.
  const isUnclear = returnId === null && before.status === "closed_before";
  if (fitting.length > 1 || isUnclear) return { status: "several", returnIds: fitting.map(nameOf) };
  // Of one payment some can be settled and others be kept.
  const returned = returnedOf(row);
  const balance = returned ? await getBalance(returned.userId, transaction) : 0;
  const closedId = await close(row, { rows, closing }, transaction);
  if (!returned) return { status: "closed_kept", returnId: closedId };
  await settleReturned(returned, transaction);
  const credits = (await getBalance(returned.userId, transaction)) - balance;
  return {
    status: "closed",
    userId: returned.userId,
    of: returned.of,
    returnId: closedId,
    credits,
  };
}

/** The returns of this kind that are away, and figures that may hold one. */
function listOpen(rows: KnownReturn[], { provider, kind }: Closing): KnownReturn[] {
  const named = rows.filter(
    (row) => row.providerReturnId !== null && row.kind === kind && AWAY.includes(row.state),
  );
  const figures = rows.filter(
    (row) => row.providerReturnId === null && unexplainedOf(row, rows) > 0,
  );
  const ofKind = figures.filter((row) => row.kind === kind);
  return [...named, ...(ofKind.length > 0 || FIGURES[provider] === "apart" ? ofKind : figures)];
}

const nameOf = ({ providerReturnId }: KnownReturn) => providerReturnId ?? UNNAMED;

function closedBefore(rows: KnownReturn[], { kind, returnId }: Closing): ClosedReturn {
  const closed = rows.find(
    (row) =>
      row.kind === kind &&
      row.state === ENDS[kind] &&
      (returnId === null || row.providerReturnId === returnId),
  );
  return closed?.providerReturnId
    ? { status: "closed_before", returnId: closed.providerReturnId }
    : { status: "unknown", known: rows };
}

/** Closes a named return. Of a figure, what it counts gets a row of its own, which is closed. */
async function close(
  row: KnownReturn,
  { rows, closing }: { rows: KnownReturn[]; closing: Closing },
  transaction: Transaction,
): Promise<string> {
  const { provider, kind } = closing;
  const state = ENDS[kind];
  if (row.providerReturnId !== null) {
    await transaction.paymentReturn.update({
      where: { id: row.id },
      data: { state },
      select: { id: true },
    });
    return row.providerReturnId;
  }
  const { providerPaymentId, currency, orderId, periodId } = row;
  const returnId = newClosedId(providerPaymentId, rows);
  const chargedAmount = row.chargedAmount === null ? null : BigInt(row.chargedAmount);
  await transaction.paymentReturn.create({
    data: {
      ...{ provider, kind, state, providerReturnId: returnId, providerPaymentId },
      ...{ amount: BigInt(unexplainedOf(row, rows)), chargedAmount, currency },
      ...{ orderId, periodId },
    },
    select: { id: true },
  });
  return returnId;
}
