import { parseWithZod } from "@conform-to/zod/v4";
import { redirect } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { generateImages } from "~/models/images/generate-images.server";
import { hashRequest } from "~/models/images/generations.server";
import { formRefused } from "~/server/form-refused.server";
import { generationRefused, imageServices, limitGenerations } from "~/server/generation.server";
import { readForm } from "~/server/read-body.server";
import { GENERATOR_FIELDS, generatorFormSchema } from "~/services/images/generator-form";

/**
 * Generates images from the page's form and redirects to the result, so that a reload shows it
 * again. Going back and sending the same input again leads to the same result; other input is a new
 * request. The idempotency key is therefore the form's key combined with the input.
 */
export async function generateFromForm(
  request: Request,
  { userId, locale }: { userId: string; locale: Locale },
) {
  const submission = parseWithZod(await readForm(request, GENERATOR_FIELDS), {
    schema: generatorFormSchema,
  });
  if (submission.status !== "success") return formRefused({ submission, hide: [] });
  const { formKey, ...wanted } = submission.value;
  try {
    await limitGenerations(userId);
    const idempotencyKey = `form:${formKey}:${hashRequest(wanted)}`;
    const result = await generateImages(
      { userId, request: wanted, idempotencyKey },
      imageServices(),
    );
    if (result.status !== "settled") throw generationRefused(result);
    return redirect(`/${locale}/demo/image-generator?generation=${result.generation.id}`, 303);
  } catch (error) {
    return formRefused({ submission, hide: [], error });
  }
}
