import { afterAll, beforeAll, beforeEach } from "vitest";
import type { z } from "zod";
import type { faultOrderSchema } from "../../scripts/sandbox/images/faults";
import { type ImageSandbox, startImageSandbox } from "../../scripts/sandbox/images/image-sandbox";
import type { Calls } from "../../scripts/sandbox/images/switchboard";

/** Controls the image sandbox, wherever it runs. */
export interface ImageControl {
  /** Makes the provider's next `times` calls (1 by default) show the fault. */
  order(fault: z.input<typeof faultOrderSchema>): Promise<void>;
  /** Counts the calls to each provider since the last reset, by kind of call. */
  calls(): Promise<Calls>;
  reset(): Promise<void>;
}

/** Opens a sandbox for the tests of one file, reset before each test. */
export function openImageSandbox(): { sandbox: ImageSandbox; control: ImageControl } {
  const open = {} as { sandbox: ImageSandbox; control: ImageControl };
  beforeAll(async () => {
    open.sandbox = await startImageSandbox({ port: 0 });
    open.control = createImageControl(open.sandbox.controlUrl);
  });
  beforeEach(() => open.control.reset());
  afterAll(() => open.sandbox.stop());
  return open;
}

export function createImageControl(controlUrl: string): ImageControl {
  async function send(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(`${controlUrl}${path}`, init);
    if (!response.ok) throw new Error(`the image sandbox returned: ${await response.text()}`);
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
