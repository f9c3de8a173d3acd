import { parseWithZod } from "@conform-to/zod/v4";
import { redirect } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { type GenerateResult, startGeneration } from "~/models/images/generate-images.server";
import { findEarlier, hashRequest } from "~/models/images/generations.server";
import { formRefused } from "~/server/form-refused.server";
import { generationRefused, imageServices, limitGenerations } from "~/server/generation.server";
import { readForm } from "~/server/read-body.server";
import { keepGenerating } from "~/server/running-generations.server";
import type { GenerationRequest } from "~/services/images/generation-request";
import { GENERATOR_FIELDS, generatorFormSchema } from "~/services/images/generator-form";

/** A quick result is on the page that the form leads to; for others that page waits. */
const WAIT_MS = 2_000;

interface KeyedRequest {
  userId: string;
  request: GenerationRequest;
  idempotencyKey: string;
}

/**
 * Starts images from the page's form and redirects to the page of the result, which waits for them.
 * Going back and sending the same input again leads to the same result; other input is a new
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
    const generationId = await startFromForm({ userId, request: wanted, idempotencyKey });
    return redirect(`/${locale}/demo/image-generator?generation=${generationId}`, 303);
  } catch (error) {
    return formRefused({ submission, hide: [], error });
  }
}

/** Returns the generation's id. @throws AppError if it was refused */
async function startFromForm(keyed: KeyedRequest): Promise<string> {
  const result = await startGeneration(keyed, imageServices());
  switch (result.status) {
    case "started":
      await keepGenerating({ ...result, waitMs: WAIT_MS });
      return result.generationId;
    case "settled":
      return result.generation.id;
    case "idempotency_in_progress":
      return findRunning(keyed, result);
    default:
      throw generationRefused(result);
  }
}

/** Returns the id of the generation that the same form has started and that still runs. */
async function findRunning(
  keyed: KeyedRequest,
  refusal: Exclude<GenerateResult, { status: "settled" }>,
): Promise<string> {
  const earlier = await findEarlier(keyed);
  if (earlier.status === "in_progress") return earlier.generationId;
  if (earlier.status === "settled") return earlier.generation.id;
  throw generationRefused(refusal);
}
