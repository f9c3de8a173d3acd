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

/** What the page says, and under which status, of a refusal before anything was charged. */
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
 * Generates from the page's form and sends the visitor to the result, which a reload shows again.
 * Going back and sending the same once more leads to the same result; sending something else is a
 * new request, so the key is the form's together with what it asks for.
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
