import { Router } from "express";
import { z } from "zod";
import { parseBody } from "./creem-refusal";

const promptParams = z.strictObject({
  prompt: z.string().min(1),
  external_id: z.string().min(1),
});

/** Creem's check of prompts, which it wants of everybody who sells images. It allows all but those that ask for another verdict. */
export function createCreemModeration(): Router {
  const moderation = Router();
  moderation.post("/moderation/prompt", ({ body }, response) => {
    const { prompt } = parseBody(promptParams, body);
    const [, verdict = "allow"] = /\[sandbox:(deny|flag)\]/.exec(prompt) ?? [];
    response.json({ object: "moderation_result", decision: verdict });
  });
  return moderation;
}
