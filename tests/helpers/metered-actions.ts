import type { Database } from "~/db.server";
import type { MeteredRun } from "~/generated/prisma/client";
import { imageRun } from "~/models/images/generate-images.server";
import { fieldsOf, keepRequest, keepResult } from "~/models/metering/growing/growing-rows.server";
import { type ActionRequest, reservationOf } from "~/models/metering/meter.server";
import { reserveRun } from "~/models/metering/reserve.server";
import { settleRun } from "~/models/metering/settle.server";
import { textAction } from "~/models/text/text-action.server";
import { settleImages } from "./image-runs";

/** An action with whole prices, and one whose price is rounded up. */
type DrawnAction = "image" | "text";

/** Units at a time. Those of a text are no multiple of what a credit buys. */
const STEP: Record<DrawnAction, number> = { image: 1, text: 700 };

const PROMPT = "a lake";
const IMAGE = { url: "https://images.test/1.png", persisted: false, fileId: null };

/** So many steps of the run's units. */
export const unitsOf = ({ action }: Pick<MeteredRun, "action">, steps: number): number =>
  steps * (action === "text" ? STEP.text : STEP.image);

type Asked = Omit<ActionRequest, "units" | "fields" | "own"> & {
  action: DrawnAction;
  steps: number;
};

/** Reserves a run of either action, as its request does. */
export function reserveSteps({ action, steps, ...asked }: Asked, db: Database) {
  if (action === "image") {
    const { userId, apiKeyId = null, idempotencyKey, isAsynchronous = false } = asked;
    const request = { prompt: PROMPT, n: steps, size: "square" } as const;
    const run = imageRun({ userId, apiKeyId, request, idempotencyKey, isAsynchronous });
    return reserveRun(reservationOf("image", run), db);
  }
  const request = { prompt: PROMPT };
  const run = {
    ...asked,
    units: steps * STEP.text,
    fields: [...fieldsOf(textAction.table, request), steps],
    own: keepRequest(textAction, asked.userId, request),
  };
  return reserveRun(reservationOf("text", run), db);
}

/** Settles a run of either action for so many steps. */
export function settleSteps({ id: runId, action }: MeteredRun, steps: number, db: Database) {
  if (action === "image")
    return settleImages(
      db,
      runId,
      Array.from({ length: steps }, () => IMAGE),
    );
  const usage = { inputTokens: STEP.text, outputTokens: (steps - 1) * STEP.text };
  return settleRun(
    {
      runId,
      unitsUsed: steps * STEP.text,
      provider: "openai",
      model: "a model",
      costUsdMicros: null,
      own: keepResult(textAction, { text: "Still.", finishReason: "stop", usage }),
    },
    db,
  );
}

/** How much of its result is kept for each run, and how much a settled one has. */
export async function listResults(accountId: string, db: Database) {
  const query = { where: { run: { accountId } }, include: { run: true } };
  const images = await db.imageGeneration.findMany(query);
  const texts = await db.textGeneration.findMany(query);
  return [
    ...images.map(({ run, images }) => ({
      run,
      kept: Array.isArray(images) ? images.length : -1,
      whole: run.unitsUsed,
    })),
    ...texts.map(({ run, finishReason }) => ({ run, kept: finishReason ? 1 : 0, whole: 1 })),
  ];
}
