import { startOnFreePort } from "../lib/free-port";
import { startBreachSandbox } from "../sandbox/passwords/breach-sandbox";
import { runPart } from "./part";

await runPart(async () => {
  const passwords = await startOnFreePort(4_573, (port) => startBreachSandbox({ port }));
  return { facts: passwords.env, stop: passwords.stop };
});
