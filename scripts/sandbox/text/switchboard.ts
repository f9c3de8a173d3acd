import type { z } from "zod";
import { FAULTS, type Fault, type faultOrderSchema } from "./faults";

export interface TextCalls {
  /** Calls that ask for a text, faulty and refused ones included. */
  completions: number;
  /** Tokens of the prompts that were taken and of the texts that were made, whatever was reported. */
  tokens: { input: number; output: number };
  /** Responses whose connection the client closed before their end. */
  closed: number;
  /** Responses that go on. */
  open: number;
  /** The requests of the last calls, without their prompts. */
  asked: Record<string, unknown>[];
}

/** Keeps the ordered faults and counts the calls. */
export interface Switchboard {
  order(fault: z.output<typeof faultOrderSchema>): void;
  /** Returns the fault for this call, from the orders or from `[sandbox:<fault>]` in the prompt. */
  take(prompt: string): Fault | null;
  /** Changed by the routes. */
  counters: TextCalls;
  calls(): TextCalls;
  reset(): void;
}

export function createSwitchboard(): Switchboard {
  let orders: z.output<typeof faultOrderSchema>[] = [];
  const board: Switchboard = {
    order: (fault) => void orders.push(fault),
    take(prompt) {
      const [order, ...later] = orders;
      if (!order) return fromPrompt(prompt);
      orders = order.times > 1 ? [{ ...order, times: order.times - 1 }, ...later] : later;
      return order;
    },
    counters: noCalls(),
    calls: () => board.counters,
    reset() {
      orders = [];
      // A call that still runs counts where it began.
      board.counters = noCalls();
    },
  };
  return board;
}

const noCalls = (): TextCalls => ({
  completions: 0,
  tokens: { input: 0, output: 0 },
  closed: 0,
  open: 0,
  asked: [],
});

/** Lets a person see each fault from the page, without a command. */
function fromPrompt(prompt: string): Fault | null {
  const name = /\[sandbox:(\w+)\]/.exec(prompt)?.[1];
  const fault = FAULTS.find((known) => known === name);
  return fault ? { fault, pieces: 20 } : null;
}
