import { randomUUID } from "node:crypto";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { redirect } from "@remix-run/node";
import { findExample } from "~/components/generator/examples";
import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import {
  findRunningGeneration,
  getShownGeneration,
  listGallery,
} from "~/models/images/gallery.server";
import { hashRequest } from "~/models/images/generations.server";
import { waitAtMost } from "~/models/metering/running.server";
import { getUser } from "~/server/accounts/session.server";
import { beginGeneration, limitGenerations } from "~/server/images/generation.server";
import { formRefused } from "~/server/request/form-refused.server";
import { readForm } from "~/server/request/read-body.server";
import { currentOffers } from "~/server/site/product-facts.server";
import { GENERATOR_FIELDS, generatorFormSchema } from "~/services/images/generator-form";
import { pageNumber } from "~/utils/page-number";

const IMAGES_PER_PAGE = 8;
/** HTML attributes of the form's fields. */
const CONSTRAINT = getZodConstraint(generatorFormSchema);

/**
 * Loads the page. Its address may name the generation in the canvas, one whose prompt is used again, an
 * example, and a page of the gallery. A visitor who comes back while images are being made gets to them.
 */
export async function loadGenerator(request: Request, locale: Locale) {
  const t = translatorFor(locale);
  const title = t("generator.title");
  const user = await getUser(request);
  if (!user) return { title, locale, visitor: null };
  const { id: userId, balance } = user;
  const search = new URL(request.url).searchParams;
  const named = (name: string) =>
    getShownGeneration({ generationId: search.get(name) ?? "", userId });
  const page = pageNumber(search.get("page"));
  const [running, shown, reused, gallery] = await Promise.all([
    search.size === 0 ? findRunningGeneration(userId) : null,
    named("generation"),
    named("reuse"),
    listGallery({ userId, offset: (page - 1) * IMAGES_PER_PAGE, limit: IMAGES_PER_PAGE }),
  ]);
  if (running) throw redirect(`/${locale}/demo/image-generator?generation=${running}`);
  const example = findExample(search.get("example"));
  const begun = shown ?? reused;
  return {
    title,
    locale,
    visitor: {
      done: search.get("done"),
      studio: {
        // A result's page has the same form key at every visit.
        formKey: shown?.id ?? randomUUID(),
        constraint: CONSTRAINT,
        balance,
        packs: currentOffers()?.packs ?? [],
        canBuy: getEnv().payments.enabled,
        start: {
          prompt: begun?.prompt ?? (example ? t(example.prompt) : ""),
          n: begun?.n ?? 1,
          size: begun?.size ?? "square",
        },
        shown,
      },
      gallery: { ...gallery, page, perPage: IMAGES_PER_PAGE },
    },
  };
}

/** A quick result is on the page that the form leads to; for others that page waits. */
const WAIT_MS = 2_000;

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
    const { generationId, ended } = await beginGeneration(
      { userId, request: wanted, idempotencyKey },
      { joins: true },
    );
    await waitAtMost(WAIT_MS, ended);
    return redirect(`/${locale}/demo/image-generator?generation=${generationId}`, 303);
  } catch (error) {
    return formRefused({ submission, hide: [], error });
  }
}
