import { creditsFor } from "~/catalog";
import { type Examples, problem } from "~/server/openapi/examples/example";

const BODY = { prompt: "Two lines about a lighthouse", maxTokens: 40 };
const COST = creditsFor("text", 50);

export const textExamples: Examples = {
  generateText: {
    twoLines: {
      body: BODY,
      status: 200,
      response: {
        runId: "0b9f5a52-41f6-4c7e-9a55-0d3d6c0d2b11",
        text: "The lamp turns once for every ship,\nand once for those that came no more.",
        finishReason: "length",
        usage: { inputTokens: 7, outputTokens: 40 },
        creditsCharged: COST,
        balance: 29,
      },
    },
    tooDear: {
      body: BODY,
      ...problem(
        "insufficient_credits",
        `This costs ${COST} credits and you have 0. You weren't charged. Buy more credits, or ask for less.`,
        { required: COST, balance: 0 },
      ),
    },
  },
};
