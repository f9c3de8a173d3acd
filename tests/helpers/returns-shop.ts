import fc from "fast-check";
import type { PaymentProviderName } from "~/env/payments";
import type { ReturnKind, ReturnState } from "~/services/payments/billing-event";

/** When a fact arrives in the shuffled history: after so many others, and perhaps once more. */
export interface Delivery {
  late: number;
  again: number | null;
}

/** A refund or a dispute, and what the provider tells of it. */
export interface ReturnLife {
  /** Its states, in order; the last one is how it ends. */
  life: { of: ReturnKind; states: readonly ReturnState[] };
  /** Tenths of what can be returned. */
  tenths: number;
  /** Days after the payment. */
  day: number;
  /** Which of the payments of a split invoice. */
  payment: number;
  /** Whether events tell each state by the return's own id. At Stripe a refund may be told by its figure only. */
  isNamed: boolean;
  /** Whether a dispute at Stripe is in a currency that nobody charged. */
  isElsewhere: boolean;
  /** Whether the cumulative figure is told. */
  hasFigure: boolean;
  deliveries: Delivery[];
}

export interface SaleLife {
  /** Whether the customer paid in another currency than the sale's. */
  isConverted: boolean;
  returns: ReturnLife[];
  deliveries: Delivery[];
}

export interface InvoiceLife extends SaleLife {
  /** Tenths that the first of two payments paid; null if there is one payment. */
  split: number | null;
  /** Whether the links to its payments come in events of their own. */
  isLinkedApart: boolean;
}

/** The purchases of one customer and their returns. Nothing names the customer. */
export interface Shop {
  provider: PaymentProviderName;
  packs: SaleLife[];
  subscription: {
    interval: "month" | "year";
    base: InvoiceLife;
    upgrade: InvoiceLife | null;
    /** Pays for the same period once more. */
    again: InvoiceLife | null;
    /** Pays for the same upgrade once more, a few days later. */
    upgradeAgain: InvoiceLife | null;
    deliveries: Delivery[];
  } | null;
  /** Reconcile's facts: when each arrives. */
  asked: Delivery[];
}

const LIVES: ReturnLife["life"][] = [
  { of: "refund", states: ["succeeded"] },
  { of: "refund", states: ["pending"] },
  { of: "refund", states: ["pending", "succeeded"] },
  { of: "refund", states: ["pending", "canceled"] },
  { of: "refund", states: ["succeeded", "failed"] },
  { of: "refund", states: ["pending", "succeeded", "failed"] },
  { of: "dispute", states: ["open"] },
  { of: "dispute", states: ["inquiry"] },
  { of: "dispute", states: ["inquiry", "open", "lost"] },
  { of: "dispute", states: ["open", "won"] },
  { of: "dispute", states: ["open", "lost"] },
  { of: "dispute", states: ["open", "lost", "won"] },
];

const delivery = fc.record({
  late: fc.nat(30),
  again: fc.option(fc.nat(40), { freq: 2 }),
});
const deliveries = (count: number) => fc.array(delivery, { minLength: count, maxLength: count });

const returnLife = fc.record({
  life: fc.constantFrom(...LIVES),
  tenths: fc.integer({ min: 1, max: 10 }),
  day: fc.integer({ min: 0, max: 2 }),
  payment: fc.nat(1),
  isNamed: fc.boolean(),
  isElsewhere: fc.boolean(),
  hasFigure: fc.boolean(),
  deliveries: deliveries(5),
});

const sale = {
  isConverted: fc.boolean(),
  returns: fc.array(returnLife, { maxLength: 3 }),
  deliveries: deliveries(4),
};
const invoice = fc.record({
  ...sale,
  split: fc.option(fc.integer({ min: 1, max: 9 })),
  isLinkedApart: fc.boolean(),
});

/** Which payments a shop's subscription may have. */
export type Kind = "packs" | "month" | "upgrade" | "again" | "upgradeAgain" | "all" | "year";

export function shops(kind: Kind): fc.Arbitrary<Shop> {
  const maybe = (...kinds: Kind[]) =>
    kinds.includes(kind) ? fc.option(invoice, { freq: 5 }) : fc.constant(null);
  const intervals = kind === "month" || kind === "year" ? [kind] : ["month", "year"];
  const subscription = fc.record({
    interval: fc.constantFrom(...intervals),
    base: invoice,
    upgrade: maybe("upgrade", "upgradeAgain", "all", "year"),
    again: maybe("again", "all"),
    upgradeAgain: maybe("upgradeAgain", "all"),
    deliveries: deliveries(3),
  }) as fc.Arbitrary<Shop["subscription"]>;
  return fc.record({
    provider: fc.constantFrom("stripe" as const, "creem" as const),
    packs: fc.array(fc.record(sale), { maxLength: kind === "packs" ? 2 : 1 }),
    subscription: kind === "packs" ? fc.constant(null) : subscription,
    asked: deliveries(12),
  });
}

/** One step of a history: an arrival, or an act. */
export interface Placed<Thing> {
  at: number;
  thing: Thing;
}

/** Acts of the customer and the service meanwhile. */
export type Action =
  | { do: "spend"; amount: number }
  /** Gives back so many tenths of one of the spends. */
  | { do: "refund"; spend: number; tenths: number }
  | { do: "run" };

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant("spend" as const), amount: fc.integer({ min: 1, max: 400 }) }),
  fc.record({
    do: fc.constant("refund" as const),
    spend: fc.nat(5),
    tenths: fc.integer({ min: 1, max: 10 }),
  }),
  fc.record({ do: fc.constant("run" as const) }),
);

export const actions: fc.Arbitrary<Placed<Action>[]> = fc.array(
  fc.record({ at: fc.nat(45), thing: action }),
  { maxLength: 12 },
);

/** Credits that the shop's payments can give in all, before returns. */
export function mostGiven({ packs, subscription }: Shop): number {
  const { again, upgrade, upgradeAgain } = subscription ?? {};
  const months = subscription ? [300, ...(again ? [300] : [])] : [];
  const differences = [upgrade, upgradeAgain].flatMap((life) => (life ? [900] : []));
  return [...packs.map(() => 100), ...months, ...differences].reduce((a, b) => a + b, 0);
}
