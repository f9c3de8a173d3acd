import { parseWithZod } from "@conform-to/zod/v4";
import { data, redirect } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import type { ValidationKey } from "~/i18n/validation-key";
import { type GenerateResult, generateImages } from "~/models/images/generate-images.server";
import { hashRequest } from "~/models/images/generations.server";
import { formRefused } from "~/server/form-refused.server";
import { imageServices, limitGenerations } from "~/server/generation.server";
import { readForm } from "~/server/read-body.server";
import { GENERATOR_FIELDS, generatorFormSchema } from "~/services/images/generator-form";

/** The page's message and status for each refusal (nothing charged yet). */
const REFUSALS: Record<
  Exclude<GenerateResult["status"], "settled">,
  { status: number; message: ValidationKey }
> = {
  insufficient: { status: 402, message: "validation.creditsInsufficient" },
  prompt_rejected: { status: 400, message: "validation.promptRejected" },
  generation_unavailable: { status: 500, message: "validation.generationUnavailable" },
  idempotency_in_progress: { status: 409, message: "validation.generationInProgress" },
  idempotency_mismatch: { status: 422, message: "validation.formStale" },
};

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
    if (result.status === "settled") {
      return redirect(`/${locale}/demo/image-generator?generation=${result.generation.id}`, 303);
    }
    const { status, message } = REFUSALS[result.status];
    return data({ result: submission.reply({ formErrors: [message] }) }, { status });
  } catch (error) {
    return formRefused({ submission, hide: [], error });
  }
}
