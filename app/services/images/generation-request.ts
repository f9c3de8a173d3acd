import { z } from "zod";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { invalid } from "~/i18n/validation-key";
import { IMAGE_SIZES, MAX_IMAGES, MAX_PROMPT_LENGTH } from "~/services/images/image-limits";

/** The body of POST /api/generate-image, validated by the same schema in the browser and on the server. */
export const generationRequestSchema = z.object({
  prompt: z
    .string(invalid("promptRequired"))
    // A form sends each line's end as two characters, and `maxlength` counts one.
    .overwrite((text) => text.replaceAll("\r\n", "\n"))
    .trim()
    .min(1, invalid("promptRequired"))
    .max(MAX_PROMPT_LENGTH, invalid("promptTooLong"))
    .refine((text) => !text.includes("\0"), invalid("promptRequired"))
    .meta({ description: "What to draw.", example: "A lighthouse at dusk" }),
  n: z
    .int(invalid("imageCountInvalid"))
    .min(1, invalid("imageCountInvalid"))
    .max(MAX_IMAGES, invalid("imageCountInvalid"))
    .default(1)
    .meta({ description: `How many images; each costs ${CREDITS_PER_IMAGE} credits.` }),
  size: z.enum(IMAGE_SIZES, invalid("imageSizeInvalid")).default("square"),
});

export type GenerationRequest = z.output<typeof generationRequestSchema>;

/** The units that are reserved for a request. */
export const unitsOf = ({ n }: Pick<GenerationRequest, "n">) => n;

/** A request's cost in credits. */
export const costOf = ({ n }: Pick<GenerationRequest, "n">) => n * CREDITS_PER_IMAGE;
