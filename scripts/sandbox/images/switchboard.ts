import { FAULTS, type Fault, type FaultOrder, type Provider } from "./faults";

/**
 * `generate` counts every call that requests images, including faulty and rejected ones; `paid` those that a
 * provider would charge for.
 */
type CallKind = "generate" | "paid" | "poll" | "cancel" | "image";

export type Calls = Record<Provider, Record<CallKind, number>>;

/** Keeps the ordered faults and counts each provider's calls. */
export interface Switchboard {
  order(fault: FaultOrder): void;
  /** Returns the fault for this call, from the orders or from `[sandbox:<fault>]` in the prompt. */
  take(provider: Provider, prompt: string): Fault | null;
  count(provider: Provider, kind: CallKind): number;
  calls(): Calls;
  reset(): void;
}

export function createSwitchboard(): Switchboard {
  let orders: FaultOrder[] = [];
  let calls = noCalls();

  return {
    order: (fault) => void orders.push(fault),
    take(provider, prompt) {
      const at = orders.findIndex((order) => order.provider === provider);
      const order = orders[at];
      if (!order) return fromPrompt(provider, prompt);
      if (order.times > 1) orders[at] = { ...order, times: order.times - 1 };
      else orders.splice(at, 1);
      return order;
    },
    count(provider, kind) {
      calls[provider][kind] += 1;
      return calls[provider][kind];
    },
    calls: () => structuredClone(calls),
    reset() {
      orders = [];
      calls = noCalls();
    },
  };
}

function noCalls(): Calls {
  const none = () => ({ generate: 0, paid: 0, poll: 0, cancel: 0, image: 0 });
  return { fal: none(), replicate: none(), openai: none() };
}

/** Lets a person see each fault from the page, without a command. */
function fromPrompt(provider: Provider, prompt: string): Fault | null {
  const name = /\[sandbox:(\w+)\]/.exec(prompt)?.[1];
  const fault = FAULTS[provider].find((known) => known === name);
  return fault ? { fault, delayMs: 3_000 } : null;
}
