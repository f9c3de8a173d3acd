/**
 * The ledger's rules for one user, written again in memory and without SQL, to check the real
 * ledger.
 */
export interface Model {
  /** Hours. */
  now: number;
  lots: Lot[];
  /** Every row in order, as `type amount source`. */
  rows: string[];
  spends: Record<string, { amount: number; portions: Portion[] }>;
  sources: string[];
  /** Counts operations, to tell which of two equal times was set first. */
  step: number;
}

interface Lot {
  source: string;
  amount: number;
  remaining: number;
  expiresAt: number | null;
  /** The step in which `expiresAt` was set. */
  setIn: number;
  timesExpired: number;
  /** Whether a refund gave it 24 more hours. */
  revived: boolean;
}

interface Portion {
  lot: string;
  amount: number;
}

export type Operation =
  | { do: "grant"; source: string; amount: number; hours: number | null }
  | { do: "adjust"; source: string; amount: number }
  | { do: "spend"; source: string; amount: number }
  | { do: "refund"; source: string; amount: number | null }
  | { do: "expire" }
  | { do: "pass"; hours: number };

export interface Outcome {
  status: string;
  balance?: number;
}

export const emptyModel = (): Model => ({
  now: 0,
  lots: [],
  rows: [],
  spends: {},
  sources: [],
  step: 0,
});

/** Returns the operation's outcome and changes the model as the database must change. */
export function apply(model: Model, operation: Operation): Outcome {
  model.step += 1;
  switch (operation.do) {
    case "grant":
      return addLot(model, "grant", operation, operation.hours);
    case "adjust":
      return adjust(model, operation.source, operation.amount);
    case "spend":
      return take(model, "deduction", operation.source, operation.amount);
    case "refund":
      return refund(model, operation.source, operation.amount);
    case "expire":
      expire(model);
      return { status: "booked" };
    case "pass":
      model.now += operation.hours;
      return { status: "passed" };
  }
}

const sum = (items: { remaining: number }[]) =>
  items.reduce((total, { remaining }) => total + remaining, 0);

const isOver = (model: Model, lot: Lot) => lot.expiresAt !== null && lot.expiresAt <= model.now;

/** The account's balance. */
export const totalOf = (model: Model) => sum(model.lots);

/** The spendable credits. */
export const spendableOf = (model: Model) => sum(model.lots.filter((lot) => !isOver(model, lot)));

/** Lots in burn order. A lot's place in the list is its age. */
function inBurnOrder(model: Model): Lot[] {
  const time = (lot: Lot) => lot.expiresAt ?? Number.POSITIVE_INFINITY;
  return [...model.lots].sort((a, b) => {
    if (time(a) !== time(b)) return time(a) - time(b);
    return a.expiresAt === null ? 0 : a.setIn - b.setIn;
  });
}

function addLot(
  model: Model,
  type: string,
  { source, amount }: { source: string; amount: number },
  hours: number | null,
): Outcome {
  if (model.sources.includes(source)) return { status: "duplicate" };
  model.sources.push(source);
  const expiresAt = hours === null ? null : model.now + hours;
  model.lots.push({
    source,
    amount,
    remaining: amount,
    expiresAt,
    setIn: model.step,
    timesExpired: 0,
    revived: false,
  });
  model.rows.push(`${type} ${amount} ${source}`);
  return { status: "granted" };
}

function adjust(model: Model, source: string, amount: number): Outcome {
  const outcome =
    amount > 0
      ? addLot(model, "adjustment", { source, amount }, null)
      : take(model, "adjustment", source, -amount);
  return outcome.status === "granted" || outcome.status === "spent"
    ? { status: "adjusted" }
    : outcome;
}

function take(model: Model, type: string, source: string, amount: number): Outcome {
  expire(model);
  if (model.sources.includes(source)) return { status: "duplicate" };
  if (totalOf(model) < amount) return { status: "insufficient", balance: totalOf(model) };
  model.sources.push(source);
  model.rows.push(`${type} ${-amount} ${source}`);
  const portions: Portion[] = [];
  let left = amount;
  for (const lot of inBurnOrder(model)) {
    const portion = Math.min(lot.remaining, left);
    if (portion === 0) continue;
    lot.remaining -= portion;
    left -= portion;
    portions.push({ lot: lot.source, amount: portion });
  }
  if (type === "deduction") model.spends[source] = { amount, portions };
  return { status: "spent", balance: totalOf(model) };
}

function refund(model: Model, spendSource: string, part: number | null): Outcome {
  const spend = model.spends[spendSource];
  if (!spend) return { status: "not_found" };
  expire(model);
  const source = `${spendSource}:refund`;
  if (model.sources.includes(source)) return { status: "duplicate" };
  model.sources.push(source);
  const amount = part ?? spend.amount;
  model.rows.push(`refund ${amount} ${source}`);
  let left = amount;
  for (const lot of inBurnOrder(model).reverse()) {
    const taken = spend.portions.find((portion) => portion.lot === lot.source)?.amount ?? 0;
    const portion = Math.min(taken, left);
    if (portion === 0) continue;
    lot.remaining += portion;
    left -= portion;
    if (!isOver(model, lot) || lot.revived) continue;
    lot.expiresAt = model.now + 24;
    lot.setIn = model.step;
    lot.revived = true;
  }
  expire(model);
  return { status: "refunded", balance: totalOf(model) };
}

function expire(model: Model): void {
  for (const lot of inBurnOrder(model)) {
    if (!isOver(model, lot) || lot.remaining === 0) continue;
    lot.timesExpired += 1;
    model.rows.push(`expiry ${-lot.remaining} expiry:${lot.source}:${lot.timesExpired}`);
    lot.remaining = 0;
  }
}
