import { z } from "zod";
import { invalid } from "~/i18n/validation-key";
import { generationRequestSchema, MAX_IMAGES } from "~/services/images/generation-request";

/**
 * What the generator page posts: the request of the JSON interface, its number as a form's text,
 * and the key made with the page, so that a resend or a reload is charged once.
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
