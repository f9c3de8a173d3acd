import type { PgBoss } from "pg-boss";
import { log } from "~/utils/logger.server";

/** Each poll of each queue fails while the database is away; one line in this time says so. */
const SAID_AGAIN_AFTER_MS = 60_000;

/**
 * Logs what goes wrong in the engine itself. It goes on by itself: a lost connection is opened again, and a poll that
 * failed is repeated. Without a listener its errors would end the process.
 */
export function logEngine(boss: PgBoss): void {
  let said = "";
  let saidAt = 0;
  boss.on("error", (fault) => {
    // Some are copies of errors without their prototype.
    const err = fault instanceof Error ? fault : Object.assign(new Error(), fault);
    // The library names the queue and the worker at the end.
    const text = err.message.replace(/ \(Queue: .*\)$/, "");
    const now = performance.now();
    if (text === said && now - saidAt < SAID_AGAIN_AFTER_MS) return;
    said = text;
    saidAt = now;
    log().warn({ err }, "fault of the job engine; it goes on by itself");
  });
  boss.on("warning", ({ message, data }) => {
    const { type } = data as { type?: string };
    // Said in other words when it happens, and of no use while the database is away.
    if (type === "start_retry") return;
    log().warn({ type, warning: message }, "warning of the job engine");
  });
}
