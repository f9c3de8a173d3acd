import { getEnv } from "~/env.server";
import { Prisma } from "~/generated/prisma/client";
import { type ActionParts, runRequest } from "~/models/metering/action-parts.server";
import { unitsOf } from "~/models/text/generate-text.server";
import { getTextWriter } from "~/services/text/configured-writer.server";
import { textRequestSchema } from "~/services/text/text-request";

export const textAction: ActionParts = {
  isOn: () => getEnv().text.enabled,
  isReady: () => getTextWriter() !== null,
  request: runRequest(textRequestSchema, unitsOf),
  subject: Prisma.sql`SELECT prompt FROM text_generations made WHERE made.id = run.id`,
  picture: null,
  exported: {
    name: "texts",
    page: ({ userId, until, after, limit }, db) => db.$queryRaw`
      SELECT id, prompt, text, made.finish_reason AS "finishReason", run.status,
        input_tokens AS "inputTokens", output_tokens AS "outputTokens",
        run.credits_charged AS "creditsCharged", made.created_at AS "createdAt",
        made.created_at::text AS place
      FROM text_generations made JOIN metered_runs run USING (id)
      WHERE made.user_id = ${userId}::uuid AND made.created_at <= ${until}::timestamptz
        AND (made.created_at, id) > (${after.place}::timestamptz, ${after.id}::uuid)
      ORDER BY made.created_at, id LIMIT ${limit}`,
  },
  async erase(accountId, transaction) {
    await transaction.textGeneration.deleteMany({ where: { run: { accountId } } });
  },
};
