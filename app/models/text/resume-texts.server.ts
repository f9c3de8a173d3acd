import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { performedOf } from "~/models/metering/meter.server";
import { claimRuns } from "~/models/metering/resume.server";
import type { Run } from "~/models/metering/runs.server";
import { workOn } from "~/models/metering/start-run.server";
import { write } from "~/models/text/generate-text.server";
import { getTextRequest } from "~/models/text/texts.server";
import type { TextWriter } from "~/services/text/text-writer";
import { log } from "~/utils/logger.server";

/**
 * Begins up to `limit` asynchronous runs for texts, or these, whose process died before it called the provider. A call
 * that was made is never made again: it has no id by which its text could be fetched.
 */
export async function beginLostTexts(
  { limit, runIds, writer }: { limit: number; runIds?: string[] | undefined; writer: TextWriter },
  db: DatabaseOrTransaction = getDb(),
): Promise<Promise<Run>[]> {
  const claim = { action: "text" as const, providers: [], limit };
  const found = await claimRuns({ ...claim, ...(runIds ? { runIds } : {}) }, db);
  return found.map(({ id: runId, accountId, action, totalMs, elapsedMs }) => {
    log().info({ runId }, "run begun that another process left");
    const seconds = (totalMs - elapsedMs) / 1_000;
    return workOn(
      {
        runId,
        accountId,
        action,
        isAsynchronous: true,
        async perform() {
          const { prompt, maxTokens } = await getTextRequest(runId, db);
          const { signal } = new AbortController();
          const request = { prompt, ...(maxTokens === null ? {} : { maxTokens }) };
          const asked = { request, isAsynchronous: true, signal, onText: () => undefined };
          return performedOf("text", await write({ runId, seconds }, asked, writer, db));
        },
      },
      db,
    );
  });
}
