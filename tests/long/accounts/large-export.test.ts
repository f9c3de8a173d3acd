import { readFileSync } from "node:fs";
import { connect } from "node:net";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { signUp } from "../../helpers/client";
import { DAY } from "../../helpers/credits";
import { storeImageRuns } from "../../helpers/stored-image-runs";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer();

const ROWS = 40_000;
/** Rows that are stored at a time. */
const BATCH = 1_000;
const PROMPT_BYTES = 4000;

/** Creates a user with 40,000 generations, whose prompts alone are 160 MB. */
async function personWithMuch() {
  const person = await signUp(app.url);
  const yesterday = Date.now() - DAY;
  for (let first = 1; first <= ROWS; first += BATCH)
    await storeImageRuns(
      app,
      person.email,
      Array.from({ length: BATCH }, (_, at) => ({
        prompt: String(first + at).padEnd(PROMPT_BYTES, "x"),
        status: "refunded",
        createdAt: new Date(yesterday + first + at),
      })),
    );
  return person;
}

test.runIf(process.platform === "linux")(
  "an export of 160 MB needs memory for one page of rows and unsent data only",
  async () => {
    const person = await personWithMuch();
    await (await (await signUp(app.url)).fetch("/en/account/export")).text();
    const before = peakMegabytes();
    const account = await (await person.fetch("/en/account/export")).json();
    expect(account.generations).toHaveLength(ROWS);
    const numbers = account.generations.map(({ prompt }: { prompt: string }) =>
      parseInt(prompt, 10),
    );
    expect(numbers).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1));
    expect(peakMegabytes() - before).toBeLessThan(130);
  },
);

test("an unread download waits, and an aborted download stops querying", async () => {
  const person = await personWithMuch();
  const { hostname, port, host } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.write(
    `GET /en/account/export HTTP/1.1\r\nHost: ${host}\r\nCookie: ${person.cookie()}\r\n\r\n`,
  );
  // It waits if thirty checks in a row saw no query for another page of rows.
  let seen = "";
  let still = 0;
  const looksWithoutMore = async () => {
    const [last] = await app.sql<{ at: string }>(
      `SELECT max(query_start)::text AS at FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%AS place FROM metered_runs run JOIN image_generations%'
         AND query NOT LIKE '%pg_stat_activity%'`,
    );
    still = last?.at && last.at === seen ? still + 1 : 0;
    seen = last?.at ?? "";
    return still;
  };
  await expect.poll(looksWithoutMore, { interval: 20 }).toBeGreaterThan(30);

  // From here on, every query for another page of rows would visibly wait for this lock.
  const holder = new pg.Client({ connectionString: app.databaseUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("BEGIN; LOCK TABLE image_generations IN ACCESS EXCLUSIVE MODE");
  socket.destroy();
  const ended = () =>
    app.server.logs.find(({ path, aborted }) => path === "/en/account/export" && aborted === true);
  await expect.poll(ended).toBeDefined();
  // A page that reads no generations.
  await person.fetch("/en/account/profile");
  const waiting = await holder.query(
    `SELECT query FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  expect(waiting.rows).toEqual([]);
});

/** Returns the server's peak memory in megabytes. */
function peakMegabytes(): number {
  const status = readFileSync(`/proc/${app.server.process.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
