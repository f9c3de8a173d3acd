import { afterAll, beforeAll, beforeEach } from "vitest";
import type { z } from "zod";
import type { faultOrderSchema } from "../../scripts/sandbox/text/faults";
import type { TextCalls } from "../../scripts/sandbox/text/switchboard";
import { startTextSandbox, type TextSandbox } from "../../scripts/sandbox/text/text-sandbox";

/** Controls the text sandbox, wherever it runs. */
export interface TextControl {
  /** Makes the next `times` calls (1 by default) show the fault. */
  order(fault: z.input<typeof faultOrderSchema>): Promise<void>;
  /** The counters since the last reset. */
  calls(): Promise<TextCalls>;
  reset(): Promise<void>;
}

/** Opens a sandbox for the tests of one file, reset before each test. */
export function openTextSandbox(pieceMs = 0): { sandbox: TextSandbox; control: TextControl } {
  const open = {} as { sandbox: TextSandbox; control: TextControl };
  beforeAll(async () => {
    open.sandbox = await startTextSandbox({ port: 0, pieceMs });
    open.control = createTextControl(open.sandbox.controlUrl);
  });
  beforeEach(() => open.control.reset());
  afterAll(() => open.sandbox.stop());
  return open;
}

export function createTextControl(controlUrl: string): TextControl {
  async function send(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(`${controlUrl}${path}`, init);
    if (!response.ok) throw new Error(`the text sandbox returned: ${await response.text()}`);
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
    calls: async () => (await send("/calls")).json() as Promise<TextCalls>,
    reset: async () => void (await send("/reset", { method: "POST" })),
  };
}
