import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { signUp } from "../helpers/client";
import { makeEmailsDue, outboxOf } from "../helpers/outbox";
import { startTestServer } from "../helpers/test-server";
import { runMaintenance } from "../helpers/with-image-server";
import { withMailServer } from "../helpers/with-mail-server";

const CRON = { CRON_SECRET: "cron-secret-for-tests-only" };
// Does no background work, so that the victim gets the job.
const app = withMailServer({ ...CRON, WORKER: "off" });

/** A mail server that accepts connections and never says a word. */
async function startSilentMailServer(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => {})));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("killed outright after the claim, an email is sent by maintenance under the same Message-ID", async () => {
  const victim = await startTestServer({
    ...{ DATABASE_URL: app.databaseUrl, ...CRON, ...app.mailEnv },
    SMTP_URL: await startSilentMailServer(),
  });
  onTestFinished(() => void victim.process.kill("SIGKILL"));
  const { email } = await signUp(victim.url);
  await expect.poll(() => outboxOf(app, email)).toMatchObject([{ attempts: 1, sent: false }]);
  victim.process.kill("SIGKILL");
  await victim.stop();

  // The claim of the dead process still holds.
  expect(await runMaintenance(app.url)).toMatchObject({ emailsSent: 0 });
  await makeEmailsDue(app);
  const both = await Promise.all([runMaintenance(app.url), runMaintenance(app.url)]);
  expect(both.map(({ emailsSent }) => emailsSent).sort()).toEqual([0, 1]);
  const [row] = await outboxOf(app, email);
  expect(app.mailsTo(email)).toMatchObject([{ messageId: `<${row?.id}@localhost>` }]);
  expect(row).toMatchObject({ attempts: 2, sent: true });
});
