import { z } from "zod";
import { getEnv } from "~/env.server";
import type { UsedRun } from "~/models/accounts/usage.server";
import { picturesOf, resultsOf } from "~/server/metering/run-results.server";

/** A run with what was asked and made, as an admin sees it. */
export interface SeenRun {
  id: string;
  action: string;
  status: string;
  createdAt: Date;
  /** The request; null if nothing is kept. */
  subject: string | null;
  text: string | null;
  /** Addresses of pictures in our store. Those inside the database are their owner's alone, and a provider's are not ours. */
  pictures: string[];
}

/** An address works for so many seconds at most. The permission may end before its time. */
const PICTURE_SECONDS = 5 * 60;

const made = z.object({ text: z.string().optional() });

/** Adds the results. Pictures are signed for this page, and for no longer than the permission that ends at `until`. */
export async function seenRuns(runs: readonly UsedRun[], until: Date): Promise<SeenRun[]> {
  const settled = runs.filter(({ status }) => status === "settled");
  const left = Math.floor((until.getTime() - Date.now()) / 1000);
  const seconds = Math.min(PICTURE_SECONDS, getEnv().ttl.downloadUrl, left);
  const [results, pictures] = await Promise.all([resultsOf(settled), picturesOf(settled, seconds)]);
  return runs.map(({ id, action, status, createdAt, subject }) => {
    const { text = null } = made.safeParse(results.get(id) ?? {}).data ?? {};
    return { id, action, status, createdAt, subject, text, pictures: pictures.get(id) ?? [] };
  });
}
