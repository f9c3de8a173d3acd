import { creditsFor } from "~/catalog";
import { type Examples, problem } from "~/server/openapi/examples/example";

const PROMPT = { prompt: "A lighthouse at dusk", n: 2, size: "landscape" };
const COST = creditsFor("image", PROMPT.n);
const FOLDER = "https://cdn.example.net/public/generated";

const RUNNING = {
  runId: "fdcb7819-801e-46e6-9722-d3003b2e0609",
  action: "image",
  status: "running",
  unit: "image",
  unitsReserved: PROMPT.n,
  unitsUsed: 0,
  creditsReserved: COST,
  creditsCharged: 0,
  balance: null,
  provider: null,
  result: null,
  error: null,
  createdAt: "2026-11-26T09:30:00.000Z",
  endedAt: null,
};

const SUCCEEDED = {
  ...RUNNING,
  status: "succeeded",
  unitsUsed: PROMPT.n,
  creditsCharged: COST,
  balance: 30,
  provider: "fal",
  result: {
    images: [
      { url: `${FOLDER}/bfc1b116136090ca0cb1fed78a3f5a37.png`, persisted: true },
      { url: `${FOLDER}/69a4b1ae31695fb874bda99079b24909.png`, persisted: true },
    ],
  },
  endedAt: "2026-11-26T09:30:04.000Z",
};

export const imageExamples: Examples = {
  generateImage: {
    twoImages: {
      body: PROMPT,
      status: 200,
      response: {
        generationId: "fdcb7819-801e-46e6-9722-d3003b2e0609",
        provider: "fal",
        images: [
          { url: `${FOLDER}/bfc1b116136090ca0cb1fed78a3f5a37.png`, persisted: true },
          { url: `${FOLDER}/69a4b1ae31695fb874bda99079b24909.png`, persisted: true },
        ],
        creditsCharged: COST,
        balance: 30,
      },
    },
    notAwaited: { body: PROMPT, status: 202, response: RUNNING },
    tooDear: {
      body: PROMPT,
      ...problem(
        "insufficient_credits",
        `This costs ${COST} credits and you have 0. You weren't charged. Buy more credits, or ask for fewer images.`,
        { required: COST, balance: 0 },
      ),
    },
  },
  listRuns: {
    onePage: { status: 200, response: { runs: [SUCCEEDED], nextCursor: null } },
  },
  getRun: {
    succeeded: { status: 200, response: SUCCEEDED },
    unknown: problem("run_not_found", "We couldn't find that run among those of your account."),
  },
  getImage: {
    unknown: problem(
      "image_not_found",
      "We couldn't find that image. This address keeps images for a day, and only while storage is off.",
    ),
  },
};
