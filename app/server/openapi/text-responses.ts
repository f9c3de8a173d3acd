import { z } from "zod";

export const finishReasonSchema = z
  .enum(["stop", "length", "credits", "limit", "interrupted"])
  .meta({
    description:
      "It ended by itself, at `maxTokens`, with your credits, at a limit of yours, or it broke off.",
  });
