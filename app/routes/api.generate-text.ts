import { requireCaller } from "~/server/api-keys/caller.server";
import { limitRuns } from "~/server/metering/limit-runs.server";
import { acceptedResponse } from "~/server/metering/run-response.server";
import { apiRoute } from "~/server/request/api-route.server";
import { acceptsEvents } from "~/server/request/event-stream.server";
import { readIdempotencyKey } from "~/server/request/idempotency-key.server";
import { prefersAsync } from "~/server/request/prefer.server";
import { readJson } from "~/server/request/read-body.server";
import {
  acceptText,
  requireTextGeneration,
  streamedText,
  writtenText,
} from "~/server/text/text-run.server";
import { textRequestSchema } from "~/services/text/text-request";

/** The longest prompt, with each character escaped. */
const MOST_BYTES = 256 * 1024;

const route = apiRoute({
  async POST({ request }) {
    requireTextGeneration();
    const { id: userId, apiKeyId } = await requireCaller(request);
    const idempotencyKey = readIdempotencyKey(request);
    const { stream, ...wanted } = await readJson(request, textRequestSchema, MOST_BYTES);
    await limitRuns("text", userId);
    const asked = { userId, apiKeyId, request: wanted, idempotencyKey };
    if (stream || acceptsEvents(request)) return streamedText(request, asked);
    return prefersAsync(request) ? acceptedResponse(await acceptText(asked)) : writtenText(asked);
  },
});

export const loader = route.loader;
export const action = route.action;
