import fc from "fast-check";

/** Events of one customer's plan. Numbers name one of the payments, returns or spends so far. */
export type Step =
  | { do: "pass"; hours: number }
  | { do: "upgrade" }
  /** So many tenths of a payment. */
  | { do: "refund"; of: number; tenths: number }
  | { do: "dispute"; of: number; tenths: number }
  /** A refund fails; a dispute is won, or lost. */
  | { do: "end"; row: number; well: boolean }
  /** The first news of a return once more. */
  | { do: "late"; row: number }
  /** Whether events are held from now on. */
  | { do: "hold"; on: boolean }
  /** One of the held events arrives. */
  | { do: "release"; at: number }
  | { do: "spend"; amount: number }
  | { do: "unspend"; spend: number };

type StepOf<Kind extends Step["do"]> = Extract<Step, { do: Kind }>;

/** A step, by the ranges of its fields. */
function step<Kind extends Step["do"]>(
  kind: Kind,
  fields: { [Name in keyof Omit<StepOf<Kind>, "do">]: fc.Arbitrary<StepOf<Kind>[Name]> },
): fc.Arbitrary<Step> {
  return fc.record({ do: fc.constant(kind), ...fields }) as unknown as fc.Arbitrary<Step>;
}

export const moneySteps: fc.Arbitrary<Step>[] = [
  step("pass", { hours: fc.integer({ min: 1, max: 60 * 24 }) }),
  step("upgrade", {}),
  step("refund", { of: fc.nat(3), tenths: fc.constantFrom(3, 5, 10) }),
  step("dispute", { of: fc.nat(3), tenths: fc.constantFrom(5, 10) }),
  step("end", { row: fc.nat(4), well: fc.boolean() }),
  step("late", { row: fc.nat(4) }),
];
export const holdSteps: fc.Arbitrary<Step>[] = [
  step("hold", { on: fc.boolean() }),
  step("release", { at: fc.nat(6) }),
];
export const spendSteps: fc.Arbitrary<Step>[] = [
  step("spend", { amount: fc.integer({ min: 1, max: 700 }) }),
  step("unspend", { spend: fc.nat(4) }),
];

export const histories = (steps: fc.Arbitrary<Step>[]): fc.Arbitrary<Step[]> =>
  fc.array(fc.oneof(...steps), { minLength: 3, maxLength: 16 });
