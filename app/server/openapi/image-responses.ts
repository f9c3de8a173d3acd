import { z } from "zod";

export const generatedImagesSchema = z.array(
  z.object({
    url: z.string().meta({
      description: "An https URL, signed if the image is private, or a data URL without storage.",
    }),
    urlExpiresAt: z.iso.datetime().optional().meta({
      description: "When a signed URL ends. Only private images have it.",
    }),
    persisted: z.boolean().meta({ description: "Kept in our own storage, for good." }),
  }),
);

export const generationSchema = z
  .object({
    generationId: z.uuid(),
    provider: z.enum(["fal", "replicate", "openai"]),
    images: generatedImagesSchema,
    creditsCharged: z.int(),
    balance: z.int().meta({ description: "What can be spent afterwards, in credits." }),
  })
  .meta({ id: "Generation" });
