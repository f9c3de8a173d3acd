import type { ActionKey } from "~/catalog";
import { getEnv } from "~/env.server";
import { getGeneration } from "~/models/images/generations.server";
import { withAddresses } from "~/models/images/image-urls.server";
import { listGenerations, withImageUrls } from "~/models/images/listed-generations.server";
import type { Run } from "~/models/metering/runs.server";
import { getText, listResults, type WrittenText } from "~/models/text/texts.server";
import type { RunResponse } from "~/server/openapi/run-responses";
import { getObjectStore } from "~/services/storage/s3-store.server";

type Result = NonNullable<RunResponse["result"]>;

interface Results {
  /** The whole result of a run. */
  one(run: Run): Promise<Result>;
  /** Results of several runs by the runs' ids, without data that are megabytes. */
  several(runIds: string[]): Promise<[runId: string, result: Result][]>;
}

/** The results of each action's runs. */
const RESULTS: Record<ActionKey, Results> = {
  image: {
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
  },
  text: {
    async one({ id: runId, accountId }) {
      return textResult(await getText({ runId, accountId }));
    },
    async several(runIds) {
      const texts = await listResults(runIds);
      return texts.map(({ runId, ...kept }) => [runId, textResult(kept)]);
    },
  },
};

/** A text that its owner has deleted is empty. */
const textResult = (kept: Pick<WrittenText, "text" | "finishReason"> | null): Result => ({
  text: kept?.text ?? "",
  finishReason: kept?.finishReason ?? null,
});

export const resultOf = (run: Run): Promise<Result> => RESULTS[run.action].one(run);

/** Results of runs by the runs' ids. */
export async function resultsOf(runs: Run[]): Promise<Map<string, Result>> {
  const actions = [...new Set(runs.map(({ action }) => action))];
  const results = await Promise.all(
    actions.map((action) =>
      RESULTS[action].several(runs.filter((run) => run.action === action).map(({ id }) => id)),
    ),
  );
  return new Map(results.flat());
}
