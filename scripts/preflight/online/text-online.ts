import { z } from "zod";
import { parseJson } from "~/services/images/provider-failure.server";
import { exchange, type Responded } from "~/services/outgoing/exchange.server";
import { type Check, type Finding, fault, found, pass, skip } from "../check";
import type { Configuration } from "../configuration";
import { judgeEnd } from "./model-end";

const id = "online.text-model";
const name = "the text provider";
const TIMEOUT_MS = 10_000;

/** The list of models, which every OpenAI-compatible endpoint has; OpenAI alone says when one ends. */
const modelsSchema = z.object({
  data: z.array(z.object({ id: z.string(), shutdown_date: z.iso.date().nullish().catch(null) })),
});

/** Asks the text provider whether it takes the key, has the model, and when that ends. Nothing is written. */
export async function checkTextOnline({ env: { text } }: Configuration): Promise<Check[]> {
  const { enabled, apiKey, apiBase, model } = text;
  if (!enabled) return [skip(id, "text generation is off")];
  if (apiKey === null || model === null) return [skip(id, "incomplete: see text.provider")];
  const response = await exchange({
    purpose: "text",
    url: `${apiBase}/v1/models`,
    method: "GET",
    headers: { Authorization: `Bearer ${apiKey}` },
    deadline: performance.now() + TIMEOUT_MS,
  });
  const finding =
    response.status === "responded"
      ? judge(response, model)
      : fault(
          `${name} did not respond: ${response.reason}`,
          "check TEXT_PROVIDER_API_BASE, and that this machine may reach it",
        );
  return [finding ? found(id, [finding]) : pass(id, `${name} takes the key and has ${model}`)];
}

function judge({ code, body }: Responded, model: string): Finding | null {
  if (code === 401 || code === 403)
    return fault(`${name} refuses TEXT_PROVIDER_KEY (${code})`, "copy the key again");
  const models = modelsSchema.safeParse(parseJson(body));
  if (code !== 200 || !models.success)
    return fault(
      `${name} did not list its models (${code})`,
      "check TEXT_PROVIDER_API_BASE: it takes the part before /v1",
    );
  const action = "set TEXT_PROVIDER_MODEL to a current model";
  const found = models.data.data.find((one) => one.id === model);
  if (!found) return fault(`${name} has no model ${model}`, action);
  return judgeEnd({ name, model, end: found.shutdown_date ?? null, action });
}
