import { z } from "zod";

const PROVIDERS = ["github", "google"] as const;

export type Provider = (typeof PROVIDERS)[number];

/** At which of the provider's steps a fault shows. */
const STEPS = {
  /** The consent page sends the person back as if they had pressed Deny. */
  denied: "consent",
  /** It sends them back with another state, or with no code. */
  wrong_state: "consent",
  no_code: "consent",
  /** The code it hands out was used before. */
  code_used: "consent",
  /** The person's address is not verified, or is another one than last time. */
  address_unverified: "consent",
  address_changed: "consent",
  /** The response about the code takes longer than the app waits, or is a 503. */
  slow: "token",
  down: "token",
  /** Likewise the response about the person. */
  slow_person: "person",
  down_person: "person",
  /** The response about the person has no id. */
  no_id: "person",
} as const;

type FaultName = keyof typeof STEPS;
type Step = (typeof STEPS)[FaultName];

/** The provider's next `times` sign-ins show this fault. */
export const faultOrderSchema = z.strictObject({
  provider: z.enum(PROVIDERS),
  fault: z.enum(Object.keys(STEPS) as [FaultName, ...FaultName[]]),
  times: z.int().min(1).default(1),
});

type FaultOrder = z.output<typeof faultOrderSchema>;

/** Keeps the ordered faults. */
export interface Faults {
  order(fault: FaultOrder): void;
  /** Returns and uses up the fault of this provider's step; null for none. */
  take(provider: Provider, step: Step): FaultName | null;
  reset(): void;
}

export function createFaults(): Faults {
  let orders: FaultOrder[] = [];
  return {
    order: (fault) => void orders.push(fault),
    take(provider, step) {
      const order = orders.find((one) => one.provider === provider && STEPS[one.fault] === step);
      if (!order) return null;
      order.times -= 1;
      orders = orders.filter(({ times }) => times > 0);
      return order.fault;
    },
    reset() {
      orders = [];
    },
  };
}
