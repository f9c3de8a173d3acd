import path from "node:path";
import type pg from "pg";
import { connectDb } from "~/db.server";
import { saveImages } from "~/models/images/generated-files.server";
import type { StoredImage } from "~/models/images/generations.server";
import type { ObjectStore } from "~/services/storage/object-store.server";

interface Story {
  databaseUrl: string;
  userId: string;
  store: ObjectStore;
  samples: Map<string, Buffer>;
}

interface GenerationRow {
  id: string;
  prompt: string;
  images: StoredImage[];
  createdAt: Date;
}

/** Saves the pictures of the user's generations as the app saves a provider's: as files with thumbnails. */
export async function saveStory(
  client: pg.Client,
  { databaseUrl, userId, store, samples }: Story,
): Promise<void> {
  const { rows } = await client.query<GenerationRow>(
    `SELECT id, prompt, images, created_at AS "createdAt"
     FROM image_generations JOIN metered_runs USING (id) WHERE account_id = $1`,
    [userId],
  );
  const db = connectDb(databaseUrl);
  try {
    for (const { id, prompt, images, createdAt } of rows) {
      const saved = await saveImages(
        {
          userId,
          prompt,
          images: images.map(({ url }) => dataUrl(samples, url ?? "")),
          apiBase: "",
          store,
        },
        db,
      );
      await client.query("UPDATE image_generations SET images = $2 WHERE id = $1", [
        id,
        JSON.stringify(saved),
      ]);
      await client.query(
        `UPDATE files SET status = 'confirmed', created_at = $2, confirmed_at = $2, generation_id = $3
         WHERE id = ANY($1::uuid[])`,
        [saved.map(({ fileId }) => fileId), createdAt, id],
      );
    }
  } finally {
    await db.$disconnect();
  }
}

function dataUrl(samples: Map<string, Buffer>, url: string): { url: string } {
  const bytes = samples.get(path.parse(url).name);
  if (!bytes) throw new Error(`there is no sample ${url}`);
  return { url: `data:image/png;base64,${bytes.toString("base64")}` };
}
