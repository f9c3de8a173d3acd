import { z } from "zod";
import type { Env } from "~/env.server";
import { parseJson } from "~/services/images/provider-failure.server";
import { exchange, type Responded } from "~/services/outgoing/exchange.server";
import { type Check, type Finding, fault, found, pass, skip } from "../check";
import type { CheckId } from "../check-ids";
import type { Configuration } from "../configuration";
import { judgeEnd } from "./model-end";

type ImageProvider = keyof Env["images"]["providers"];
type Settings = Env["images"]["providers"][ImageProvider];

interface Question {
  id: Extract<CheckId, `online.images-${string}`>;
  name: string;
  /** Begins the names of its variables. */
  prefix: string;
  /** The scheme of its `Authorization`. */
  scheme: "Key" | "Bearer";
  /** The request to send. It makes no image. */
  ask(model: string): { method: "GET" | "POST"; path: string; body?: object };
  /** The status of a provider that takes the key and has the model. */
  expected: number;
}

const TIMEOUT_MS = 10_000;

const describeModel = (model: string) => ({ method: "GET" as const, path: `/v1/models/${model}` });

const QUESTIONS: Record<ImageProvider, Question> = {
  fal: {
    id: "online.images-fal",
    name: "fal",
    prefix: "IMAGE_PROVIDER_1",
    scheme: "Key",
    // fal has no address that describes a model. The model itself refuses an input without a prompt.
    ask: (model) => ({ method: "POST", path: `/${model}`, body: {} }),
    expected: 422,
  },
  replicate: {
    id: "online.images-replicate",
    name: "Replicate",
    prefix: "IMAGE_PROVIDER_2",
    scheme: "Bearer",
    ask: describeModel,
    expected: 200,
  },
  openai: {
    id: "online.images-openai",
    name: "OpenAI",
    prefix: "IMAGE_PROVIDER_3",
    scheme: "Bearer",
    ask: describeModel,
    expected: 200,
  },
};

/** Asks each image provider that has a key whether it takes the key, has the model, and when that ends. */
export function checkImagesOnline({ env: { images } }: Configuration): Promise<Check[]> {
  return Promise.all(
    (Object.keys(QUESTIONS) as ImageProvider[]).map(async (provider) => {
      const { id, name } = QUESTIONS[provider];
      if (!images.enabled) return skip(id, "image generation is off");
      if (images.providers[provider].apiKey === null) return skip(id, `${name} has no key`);
      return askProvider(provider, images.providers[provider]);
    }),
  );
}

async function askProvider(provider: ImageProvider, settings: Settings): Promise<Check> {
  const { id, name, prefix, scheme, ask } = QUESTIONS[provider];
  const { apiKey, apiBase, model } = settings;
  const { path, ...question } = ask(model);
  const response = await exchange({
    ...question,
    purpose: provider,
    url: `${apiBase}${path}`,
    headers: { Authorization: `${scheme} ${apiKey}` },
    deadline: performance.now() + TIMEOUT_MS,
  });
  if (response.status !== "responded") {
    const reach = `check ${prefix}_API_BASE, and that this machine may reach ${name}`;
    return found(id, [fault(`${name} did not respond: ${response.reason}`, reach)]);
  }
  const finding = judge(provider, model, response);
  return finding ? found(id, [finding]) : pass(id, `${name} takes the key and has ${model}`);
}

function judge(
  provider: ImageProvider,
  model: string,
  { code: status, body }: Responded,
): Finding | null {
  const { name, prefix, expected } = QUESTIONS[provider];
  const another = `set ${prefix}_MODEL to a current model`;
  if (status === 401 || status === 403)
    return fault(
      `${name} refuses ${prefix}_KEY (${status})`,
      "copy the key again, and check the account's balance",
    );
  if (status === 404) return fault(`${name} has no model ${model}`, another);
  if (status !== expected)
    return fault(`${name} did not respond as expected (${status})`, `check ${prefix}_API_BASE`);
  return judgeEnd({ name, model, end: endOf(body), action: another });
}

/** Returns a day as in 2026-12-01. Of the three, OpenAI alone tells one. */
function endOf(body: string): string | null {
  const read = z.object({ shutdown_date: z.iso.date() }).safeParse(parseJson(body));
  return read.success ? read.data.shutdown_date : null;
}
