import { startOnFreePort } from "../lib/free-port";
import { startTurnstileSandbox } from "../sandbox/turnstile/turnstile-sandbox";
import { runPart } from "./part";

await runPart(async () => {
  const turnstile = await startOnFreePort(4_575, (port) => startTurnstileSandbox({ port }));
  return { facts: turnstile.env, stop: turnstile.stop };
});
