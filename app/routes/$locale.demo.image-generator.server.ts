import { randomUUID } from "node:crypto";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { redirect } from "@remix-run/node";
import { findExample } from "~/components/generator/examples";
import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import {
  type CanvasGeneration,
  findRunningGeneration,
  getShownGeneration,
  listGallery,
} from "~/models/images/gallery.server";
import { hashRequest } from "~/models/images/generations.server";
import { getImageAccess } from "~/models/images/image-access.server";
import { listPrompts, usualSeconds } from "~/models/images/prompt-history.server";
import { waitAtMost } from "~/models/metering/running.server";
import { getUser } from "~/server/accounts/session.server";
import { beginGeneration, limitGenerations } from "~/server/images/generation.server";
import { formRefused } from "~/server/request/form-refused.server";
import { readForm } from "~/server/request/read-body.server";
import { currentOffers } from "~/server/site/product-facts.server";
import { GENERATOR_FIELDS, generatorFormSchema } from "~/services/images/generator-form";
import { MAX_PROMPT_LENGTH } from "~/services/images/image-limits";
import { getObjectStore } from "~/services/storage/s3-store.server";
import { pageNumber } from "~/utils/page-number";

const IMAGES_PER_PAGE = 8;
/** Characters of a search. */
const MAX_SEARCH = 200;
/** HTML attributes of the form's fields. The prompt's length is lost where the schema trims it. */
const CONSTRAINT = {
  ...getZodConstraint(generatorFormSchema),
  prompt: { required: true, maxLength: MAX_PROMPT_LENGTH },
};

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
  const store = getObjectStore();
  const search = new URL(request.url).searchParams;
  const named = (name: string) =>
    getShownGeneration({ generationId: search.get(name) ?? "", userId, store });
  const page = pageNumber(search.get("page"));
  const view = {
    search: (search.get("q") ?? "").trim().replaceAll("\0", "").slice(0, MAX_SEARCH),
    withFailed: search.get("failed") === "show",
  };
  const [running, shown, reused, gallery, prompts, usual, access] = await Promise.all([
    search.size === 0 ? findRunningGeneration(userId) : null,
    named("generation"),
    named("reuse"),
    listGallery({
      userId,
      store,
      ...view,
      offset: (page - 1) * IMAGES_PER_PAGE,
      limit: IMAGES_PER_PAGE,
    }),
    listPrompts(userId),
    usualSeconds(userId),
    getImageAccess(userId),
  ]);
  if (running) throw redirect(`/${locale}/demo/image-generator?generation=${running}`);
  const example = findExample(search.get("example"));
  const begun = reused ?? shown;
  return {
    title: shown ? titleOf(shown, t) : title,
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
        prompts,
        deleting: search.get("delete"),
        imageAccess: store ? access : null,
        usualSeconds: usual,
      },
      gallery: { ...gallery, ...view, page, perPage: IMAGES_PER_PAGE },
    },
  };
}

/** The title tells in a tab that isn't looked at whether the images are there. */
function titleOf(shown: CanvasGeneration, t: ReturnType<typeof translatorFor>): string {
  const title = t("generator.title");
  if (shown.status === "charged" && !shown.isAbandoned)
    return t("generator.running.tab", { title });
  if (shown.status !== "succeeded" || !shown.isLatest) return title;
  return t("generator.done.tab", { count: shown.images.length, title });
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
