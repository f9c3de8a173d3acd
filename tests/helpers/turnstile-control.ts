import { afterAll, beforeEach } from "vitest";
import type { ChallengeAction } from "~/services/bot-challenge/challenge";
import type { Mode } from "../../scripts/sandbox/turnstile/mode";
import {
  startTurnstileSandbox,
  type TurnstileSandbox,
} from "../../scripts/sandbox/turnstile/turnstile-sandbox";

export interface TurnstileControl {
  /** Starts the stand-in and returns the server's variables for it. */
  start(): Promise<TurnstileSandbox["env"]>;
  /** The variables with which a server uses the stand-in; for further servers. */
  env(): TurnstileSandbox["env"];
  /** Changes how the stand-in behaves until the end of the test. */
  mode(mode: Partial<Mode>): Promise<void>;
  /** Returns a token, as the browser gets it on a form of a site. */
  token(action: ChallengeAction, hostname?: string): Promise<string>;
  /** Returns the calls to siteverify so far. */
  requests(): Promise<Record<string, string>[]>;
}

/** A stand-in for Turnstile for all tests of a file. It passes good tokens until told otherwise. */
export function withTurnstile(): TurnstileControl {
  let sandbox: TurnstileSandbox;
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(sandbox.controlUrl + path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    });
    if (!response.ok) throw new Error(`the stand-in returned ${response.status}`);
    return response.json();
  };
  beforeEach(() => send("PUT", "/mode", {}));
  afterAll(() => sandbox.stop());
  return {
    async start() {
      sandbox = await startTurnstileSandbox({ port: 0 });
      return sandbox.env;
    },
    env: () => sandbox.env,
    mode: async (mode) => void (await send("PUT", "/mode", mode)),
    token: async (action, hostname = "localhost") =>
      ((await send("POST", "/tokens", { action, hostname })) as { token: string }).token,
    requests: async () => (await send("GET", "/requests")) as Record<string, string>[],
  };
}
