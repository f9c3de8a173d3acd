import { freePort } from "../lib/free-port";
import { startBreachSandbox } from "../sandbox/passwords/breach-sandbox";
import { runPart } from "./part";

await runPart(async () => {
  const passwords = await startBreachSandbox({ port: await freePort(4_573, "127.0.0.1") });
  return { facts: passwords.env, stop: passwords.stop };
});
