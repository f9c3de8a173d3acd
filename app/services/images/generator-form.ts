import { z } from "zod";
import { invalid } from "~/i18n/validation-key";
import { generationRequestSchema } from "~/services/images/generation-request";
import { MAX_IMAGES } from "~/services/images/image-limits";

/**
 * Fields of the generator page: the JSON API's request, with `n` as form text, and the key created with
 * the page, so that a resend or reload is charged once.
 */
export const generatorFormSchema = generationRequestSchema.extend({
  n: z.coerce
    .number(invalid("imageCountInvalid"))
    .pipe(
      z
        .int(invalid("imageCountInvalid"))
        .min(1, invalid("imageCountInvalid"))
        .max(MAX_IMAGES, invalid("imageCountInvalid")),
    ),
  formKey: z.uuid(invalid("formStale")),
});

export const GENERATOR_FIELDS = Object.keys(generatorFormSchema.shape);
