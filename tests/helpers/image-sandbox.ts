import type { z } from "zod";
import type { faultOrderSchema } from "../../scripts/sandbox/images/faults";
import type { Calls } from "../../scripts/sandbox/images/switchboard";

/** The image sandbox's switchboard, wherever it runs. */
export interface ImageControl {
  /** The provider's next `times` calls (1 by default) show the fault. */
  order(fault: z.input<typeof faultOrderSchema>): Promise<void>;
  /** How often each provider was called since the last reset, by kind of call. */
  calls(): Promise<Calls>;
  reset(): Promise<void>;
}

export function createImageControl(controlUrl: string): ImageControl {
  async function send(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(`${controlUrl}${path}`, init);
    if (!response.ok) throw new Error(`the image sandbox answered: ${await response.text()}`);
    return response;
  }
  return {
    async order(fault) {
      await send("/faults", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(fault),
      });
    },
    calls: async () => (await send("/calls")).json() as Promise<Calls>,
    reset: async () => void (await send("/reset", { method: "POST" })),
  };
}
