import type { Database } from "~/db.server";
import { imageRun } from "~/models/images/generate-images.server";
import type { StoredImage } from "~/models/images/generations.server";
import { keepImages } from "~/models/images/keep-images.server";
import { reservationOf } from "~/models/metering/meter.server";
import { reserveRun } from "~/models/metering/reserve.server";
import { refundRun, settleRun } from "~/models/metering/settle.server";
import type { GenerationRequest } from "~/services/images/generation-request";

/** Reserves a run for images, as a request does. */
export const reserveImages = (
  db: Database,
  userId: string,
  {
    idempotencyKey = null,
    isAsynchronous = false,
    ...request
  }: GenerationRequest & { idempotencyKey?: string | null; isAsynchronous?: boolean },
) =>
  reserveRun(
    reservationOf("image", imageRun({ userId, request, idempotencyKey, isAsynchronous })),
    db,
  );

/** Reserves a run that must succeed, and returns its id. */
export async function chargeImages(
  db: Database,
  userId: string,
  request: GenerationRequest,
): Promise<string> {
  const reserved = await reserveImages(db, userId, request);
  if (reserved.status !== "reserved") throw new Error(reserved.status);
  return reserved.runId;
}

/** Settles a run with these images, or refunds it if there are none. */
export const settleImages = (db: Database, runId: string, images: StoredImage[]) =>
  images.length === 0
    ? refundRun({ runId, error: "generation_failed" }, db)
    : settleRun(
        {
          runId,
          unitsUsed: images.length,
          provider: "fal",
          model: null,
          costUsdMicros: null,
          own: keepImages(images),
        },
        db,
      );
