import pino from "pino";
import { createFal } from "~/services/images/fal.server";
import { createImageRouter } from "~/services/images/image-router.server";
import { createOpenai } from "~/services/images/openai.server";
import { createReplicate } from "~/services/images/replicate.server";
import { allowAddresses } from "~/services/outgoing/allowed-origins.server";
import type { Provider } from "../../scripts/sandbox/images/faults";
import type { ImageSandbox } from "../../scripts/sandbox/images/image-sandbox";
import { type ImageControl, openImageSandbox } from "./image-sandbox";

export const REQUEST = { prompt: "a very private prompt", n: 2, size: "landscape" } as const;

const VARIABLES = {
  fal: "IMAGE_PROVIDER_1",
  replicate: "IMAGE_PROVIDER_2",
  openai: "IMAGE_PROVIDER_3",
} as const;
const MODELS = {
  fal: "fal-ai/flux/schnell",
  replicate: "black-forest-labs/flux-schnell",
  openai: "gpt-image-2.6-flare",
};
const CREATE = {
  fal: (settings: Parameters<typeof createReplicate>[0]) =>
    createFal({ ...settings, queueBase: settings.apiBase }),
  replicate: createReplicate,
  openai: createOpenai,
};

interface Attempt {
  level: number;
  provider: string;
  class: string;
  reason?: string;
}

interface Options {
  deadlineMs?: number;
  n?: number;
  /** Settings of the first provider. */
  settings?: Partial<ReturnType<typeof settingsIn>>;
}

function settingsIn({ env }: ImageSandbox, name: Provider) {
  return {
    apiKey: env[`${VARIABLES[name]}_KEY`],
    apiBase: env[`${VARIABLES[name]}_API_BASE`],
    model: MODELS[name],
  };
}

/**
 * Sets up a sandbox for the tests of one file, reset before each test, and a way to generate
 * through the router.
 */
export function setUpImageSandbox() {
  const images = openImageSandbox();
  return {
    order: (...fault: Parameters<ImageControl["order"]>) => images.control.order(...fault),
    calls: () => images.control.calls(),
    unreachable: (how: keyof ImageSandbox["unreachable"]) => images.sandbox.unreachable[how],
    settingsOf: (name: Provider) => settingsIn(images.sandbox, name),

    /**
     * Calls these providers in this order. Returns the outcome, the logged attempts and the log's
     * text.
     */
    async generate(
      order: Provider[],
      { deadlineMs = 30_000, n = REQUEST.n, settings }: Options = {},
    ) {
      const lines: string[] = [];
      const asked = order.map((name, at) => ({
        name,
        ...settingsIn(images.sandbox, name),
        ...(at === 0 ? settings : {}),
      }));
      allowAddresses(Object.fromEntries(asked.map(({ name, apiBase }) => [name, [apiBase]])));
      const router = createImageRouter({
        providers: asked.map(({ name, ...provider }) => CREATE[name](provider)),
        retryMs: 1,
        pollMs: 20,
        logger: pino({ base: undefined }, { write: (line) => void lines.push(line) }),
      });
      const outcome = await router.generate({ ...REQUEST, n }, { deadlineMs });
      const attempts = lines.map((line) => JSON.parse(line) as Attempt);
      return { outcome, attempts, text: lines.join("") };
    },
  };
}

/**
 * The provider that takes over in a test. Never OpenAI, whose sandbox must draw before it responds.
 */
export const NEXT: Record<Provider, Provider> = {
  fal: "replicate",
  replicate: "fal",
  openai: "fal",
};
