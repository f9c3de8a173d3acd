import { Prisma } from "~/generated/prisma/client";
import { fileGenerated } from "~/models/files/confirmations.server";
import type { StoredImage } from "~/models/images/generations.server";
import type { OwnStep } from "~/models/metering/reserve.server";

/** Keeps the images, and turns our copies into files. */
export const keepImages = (images: StoredImage[], passedOver: string[] = []): OwnStep => ({
  name: "image",
  step: Prisma.sql`, image AS (
    UPDATE image_generations image
    SET images = ${JSON.stringify(images)}::jsonb, passed_over = ${passedOver}::text[]
    FROM settled WHERE image.id = settled.id
  ),
  filed AS (${fileGenerated(listFileIds(images))})`,
});

const listFileIds = (images: StoredImage[]): string[] =>
  images.flatMap(({ fileId }) => (fileId ? [fileId] : []));
