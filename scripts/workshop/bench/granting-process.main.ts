import { connectDb } from "~/db.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { requireDatabaseUrl } from "../../lib/database-url";

const SAMPLE_EVERY_MS = 100;

/** Collects garbage first, so that the heap shows only what is retained. */
function sample(): void {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ heap: heapUsed, rss });
}

const db = connectDb(requireDatabaseUrl());
// Warms up first: the samples leave out the client's start.
await runDueGrants({ limit: 1 }, db);
sample();
const timer = setInterval(sample, SAMPLE_EVERY_MS);
await runDueGrants({}, db);
clearInterval(timer);
sample();
await db.$disconnect();
process.disconnect?.();
