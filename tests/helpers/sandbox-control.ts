import { afterAll, beforeAll, beforeEach } from "vitest";

/** Controls a sandbox, wherever it runs. */
export interface SandboxControl<Order, Calls> {
  /** Makes the next `times` calls (1 by default) show the fault. */
  order(fault: Order): Promise<void>;
  /** The counters since the last reset. */
  calls(): Promise<Calls>;
  reset(): Promise<void>;
}

export function controlSandbox<Order, Calls>(controlUrl: string): SandboxControl<Order, Calls> {
  async function send(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(`${controlUrl}${path}`, init);
    if (!response.ok) throw new Error(`the sandbox returned: ${await response.text()}`);
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

/** Opens a sandbox for the tests of one file, reset before each test. */
export function openSandbox<
  Sandbox extends { controlUrl: string; stop(): Promise<void> },
  Order,
  Calls,
>(start: () => Promise<Sandbox>) {
  const open = {} as { sandbox: Sandbox; control: SandboxControl<Order, Calls> };
  beforeAll(async () => {
    open.sandbox = await start();
    open.control = controlSandbox(open.sandbox.controlUrl);
  });
  beforeEach(() => open.control.reset());
  afterAll(() => open.sandbox.stop());
  return open;
}
