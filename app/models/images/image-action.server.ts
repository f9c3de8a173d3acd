import { getEnv } from "~/env.server";
import { Prisma } from "~/generated/prisma/client";
import { getGeneration } from "~/models/images/generations.server";
import { withAddresses } from "~/models/images/image-urls.server";
import {
  listGenerations,
  pageGenerations,
  withImageUrls,
} from "~/models/images/listed-generations.server";
import { signPictures } from "~/models/images/signed-pictures.server";
import { type ActionParts, runRequest } from "~/models/metering/action-parts.server";
import { getImageRouter } from "~/services/images/configured-router.server";
import { generationRequestSchema, unitsOf } from "~/services/images/generation-request";
import { getObjectStore } from "~/services/storage/s3-store.server";

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
  results: {
    async one({ id: generationId, accountId }) {
      const generation = await getGeneration({ generationId, accountId });
      if (!generation) throw new Error(`image_generations: ${generationId} is gone`);
      const owner = { userId: accountId, store: getObjectStore() };
      const images = await withAddresses(generation.images, owner);
      return {
        images: images.map(({ urlExpiresAt, ...image }) => ({
          ...image,
          ...(urlExpiresAt ? { urlExpiresAt: urlExpiresAt.toISOString() } : {}),
        })),
      };
    },
    async several(runIds) {
      const { origin } = getEnv().siteUrl;
      return (await listGenerations(runIds)).map((listed) => {
        const { images } = withImageUrls(listed, origin);
        return [
          listed.id,
          { images: images.map(({ url, persisted }) => ({ url: url ?? "", persisted })) },
        ];
      });
    },
    pictures: (asked) => signPictures(asked),
  },
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
