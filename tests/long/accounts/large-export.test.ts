import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { signUp } from "../../helpers/client";
import { DAY } from "../../helpers/credits";
import { storeImageRuns } from "../../helpers/stored-image-runs";
import { withTestServer } from "../../helpers/with-test-server";

/** Megabytes. A server with a larger heap collects its garbage later, and its memory says nothing. */
const HEAP = 80;
const app = withTestServer({ NODE_OPTIONS: `--max-old-space-size=${HEAP}` });

const ROWS = 40_000;
/** Rows that are stored at a time. */
const BATCH = 1_000;
const PROMPT_BYTES = 4000;
/** Megabytes that the server's memory may grow by: less than is sent. */
const MOST_MORE = 150;

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
    expect(peakMegabytes() - before).toBeLessThan(MOST_MORE);
  },
);

test("an unread download waits, and an aborted download stops querying", async () => {
  const person = await personWithMuch();
  const { hostname, port, host } = new URL(app.url);
  const before = peakMegabytes();
  const holder = new pg.Client({ connectionString: app.databaseUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  /** The queries for more rows within a second: the lock makes them wait, and the watch over leases. */
  const queries = async () => {
    await holder.query(
      "BEGIN; LOCK TABLE metered_runs, image_generations IN ACCESS EXCLUSIVE MODE",
    );
    await setTimeout(1_000);
    const { rows } = await holder.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity WHERE datname = current_database()
         AND wait_event_type = 'Lock' AND query NOT LIKE '%lease_until%'`,
    );
    await holder.query("COMMIT");
    return rows.map(({ query }) => query);
  };
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.write(
    `GET /en/account/export HTTP/1.1\r\nHost: ${host}\r\nCookie: ${person.cookie()}\r\n\r\n`,
  );
  expect(await queries()).toHaveLength(1);
  await expect.poll(queries, { timeout: 30_000 }).toEqual([]);
  expect(peakMegabytes() - before).toBeLessThan(MOST_MORE);

  socket.destroy();
  const ended = () =>
    app.server.logs.find(({ path, aborted }) => path === "/en/account/export" && aborted === true);
  await expect.poll(ended).toBeDefined();
  expect(await queries()).toEqual([]);
});

/** Returns the server's peak memory in megabytes. */
function peakMegabytes(): number {
  const status = readFileSync(`/proc/${app.server.process.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
