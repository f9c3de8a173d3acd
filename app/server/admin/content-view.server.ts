import { z } from "zod";
import type { Run } from "~/models/metering/runs.server";
import { resultOf, resultsOf } from "~/server/metering/run-results.server";
import { getObjectStore } from "~/services/storage/s3-store.server";

/** A run with what was asked and made, as an admin sees it. */
export interface SeenRun {
  id: string;
  action: string;
  status: string;
  createdAt: Date;
  /** The request; null if nothing is kept. */
  subject: string | null;
  text: string | null;
  /** Addresses of pictures in a store. Those inside the database are their owner's alone. */
  pictures: string[];
}

const made = z.object({
  text: z.string().optional(),
  images: z.array(z.object({ url: z.string() })).optional(),
});

/** Adds the results. Addresses of private pictures are signed for this page, where there is a store. */
export async function seenRuns(
  listed: readonly { run: Run; subject: string | null }[],
): Promise<SeenRun[]> {
  const settled = listed.map(({ run }) => run).filter(({ status }) => status === "settled");
  const isSigned = getObjectStore() !== null;
  const results = isSigned
    ? new Map(await Promise.all(settled.map(async (run) => [run.id, await resultOf(run)] as const)))
    : await resultsOf(settled);
  return listed.map(({ run, subject }) => {
    const { id, action, status, createdAt } = run;
    const { text = null, images = [] } = made.safeParse(results.get(id) ?? {}).data ?? {};
    const pictures = isSigned ? images.map(({ url }) => url).filter(isInStore) : [];
    return { id, action, status, createdAt, subject, text, pictures };
  });
}

const isInStore = (url: string) => /^https?:/.test(url) && !/\/api\/(?:images|storage)\//.test(url);
