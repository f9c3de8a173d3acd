import { afterAll, beforeEach } from "vitest";
import { startTextSandbox, type TextSandbox } from "../../scripts/sandbox/text/text-sandbox";
import { createTextControl, type TextControl } from "./text-sandbox";
import { type ServerUnderTest, withTestServer } from "./with-test-server";

interface TextServerUnderTest extends ServerUnderTest {
  texts: TextControl;
  /** The variables with which the server reaches the stand-in; for further servers. */
  textEnv: Record<string, string>;
}

/** Starts a server with its own text provider, so that test files can order faults in parallel. */
export function withTextServer(
  env: Record<string, string> = {},
  options: { pieceMs?: number } = {},
): TextServerUnderTest {
  let sandbox: TextSandbox;
  const context = withTestServer(async () => {
    sandbox = await startTextSandbox({ port: 0, ...options });
    const textEnv = { ...sandbox.env, CRON_SECRET: "cron-secret-for-tests-only", ...env };
    Object.assign(context, { texts: createTextControl(sandbox.controlUrl), textEnv });
    return textEnv;
  }) as TextServerUnderTest;
  beforeEach(() => context.texts.reset());
  afterAll(() => sandbox.stop());
  return context;
}
