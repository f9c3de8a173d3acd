import { getEnv } from "~/env.server";
import { Prisma } from "~/generated/prisma/client";
import { pageGenerations, withImageUrls } from "~/models/images/listed-generations.server";
import { type ActionParts, runRequest } from "~/models/metering/action-parts.server";
import { getImageRouter } from "~/services/images/configured-router.server";
import { generationRequestSchema, unitsOf } from "~/services/images/generation-request";

/** The first image that this site still has. A stored image's data stays in the database. */
const PICTURE = Prisma.sql`
  SELECT jsonb_build_object('index', at - 1,
    'url', CASE WHEN image ->> 'url' NOT LIKE 'data:%' THEN image ->> 'url' END,
    'thumbnailWidth', file.thumbnail_widths[1])
  FROM image_generations made
    CROSS JOIN jsonb_array_elements(made.images) WITH ORDINALITY AS kept (image, at)
    LEFT JOIN files AS file ON file.id = (image ->> 'fileId')::uuid AND file.deleted_at IS NULL
  WHERE made.id = run.id AND (file.id IS NOT NULL OR image ->> 'url' LIKE 'data:%'
    OR (image ->> 'persisted')::boolean AND image ->> 'fileId' IS NULL)
  ORDER BY at LIMIT 1`;

export const imageAction: ActionParts = {
  isOn: () => getEnv().images.enabled,
  isReady: () => getImageRouter() !== null,
  request: runRequest(generationRequestSchema, unitsOf),
  subject: Prisma.sql`SELECT prompt FROM image_generations made WHERE made.id = run.id`,
  picture: PICTURE,
  exported: {
    name: "generations",
    async page({ siteUrl, ...position }, db) {
      const rows = await pageGenerations(position, db);
      return rows.map(({ place, ...row }) => ({ ...withImageUrls(row, siteUrl.origin), place }));
    },
  },
  async erase(accountId, transaction) {
    await transaction.imageGeneration.updateMany({
      where: { run: { accountId } },
      data: { prompt: "", images: [] },
    });
  },
};
