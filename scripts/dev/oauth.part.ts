import { startOnFreePort } from "../lib/free-port";
import { startOauthSandbox } from "../sandbox/oauth/oauth-sandbox";
import { runPart } from "./part";

await runPart(async () => {
  const oauth = await startOnFreePort(4_574, (port) => startOauthSandbox({ port }));
  return { facts: oauth.env, stop: oauth.stop };
});
