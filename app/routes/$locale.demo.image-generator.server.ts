import { randomUUID } from "node:crypto";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { redirect, redirectDocument } from "@remix-run/node";
import { findExample } from "~/components/generator/examples";
import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import { currentOffers } from "~/models/billing/checkouts/current-offers.server";
import {
  type CanvasGeneration,
  findRunningGeneration,
  getShownGeneration,
  listGallery,
} from "~/models/images/gallery.server";
import { requestFields } from "~/models/images/generations.server";
import { getImageAccess } from "~/models/images/image-access.server";
import { listPrompts, usualSeconds } from "~/models/images/prompt-history.server";
import { getFunds } from "~/models/metering/funds.server";
import { formIdempotencyKey } from "~/models/metering/meter.server";
import { waitAtMost } from "~/models/metering/running.server";
import { accountOf } from "~/models/metering/runs.server";
import { entryPath } from "~/server/accounts/entry-page.server";
import { getUser } from "~/server/accounts/session.server";
import { beginGeneration } from "~/server/images/generation.server";
import { enforceAddressLimit } from "~/server/limits/address-limits.server";
import { findDraft, forgetDraft, keepDraft } from "~/server/metering/draft.server";
import { limitRuns } from "~/server/metering/limit-runs.server";
import { formRefused } from "~/server/request/form-refused.server";
import { readForm } from "~/server/request/read-body.server";
import { offeredCredits } from "~/server/site/free-credits.server";
import {
  type GenerationRequest,
  generationRequestSchema,
} from "~/services/images/generation-request";
import { GENERATOR_FIELDS, generatorFormSchema } from "~/services/images/generator-form";
import { BUY } from "~/services/images/generator-intent";
import { MAX_PROMPT_LENGTH } from "~/services/images/image-limits";
import { getObjectStore } from "~/services/storage/s3-store.server";
import { AppError } from "~/utils/app-error";
import { draftPath } from "~/utils/draft-path";
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
  if (!user) return { title, locale, visitor: null, signedOut: await loadSignedOut(request, t) };
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
  const [running, shown, reused, gallery, prompts, usual, funds, access, draft] = await Promise.all(
    [
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
      getFunds({ accountId: accountOf(user), apiKeyId: null }),
      getImageAccess(userId),
      findDraft(request, "image", { schema: generationRequestSchema, userId }),
    ],
  );
  if (running) throw redirect(`/${locale}/demo/image-generator?generation=${running}`);
  return {
    title: shown ? titleOf(shown, t) : title,
    locale,
    signedOut: null,
    visitor: {
      done: search.get("done"),
      studio: {
        // A result's page has the same form key at every visit.
        formKey: shown?.id ?? randomUUID(),
        constraint: CONSTRAINT,
        balance,
        room: funds.room,
        packs: currentOffers()?.packs ?? [],
        canBuy: getEnv().payments.enabled,
        start: startOf({ request, begun: reused ?? shown, draft }, t),
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

/** The first values of the form: what the address names, else the draft of this browser. */
function startOf(
  { request, begun, draft }: { request: Request; begun: Settings | null; draft: Settings | null },
  t: ReturnType<typeof translatorFor>,
): Settings {
  const example = findExample(new URL(request.url).searchParams.get("example"));
  const chosen = begun ?? (example ? null : draft);
  return {
    prompt: example && !begun ? t(example.prompt) : (chosen?.prompt ?? ""),
    n: chosen?.n ?? 1,
    size: chosen?.size ?? "square",
  };
}

interface Settings {
  prompt: string;
  n: number;
  size: string;
}

async function loadSignedOut(request: Request, t: ReturnType<typeof translatorFor>) {
  const draft = await findDraft(request, "image", { schema: generationRequestSchema });
  return {
    formKey: randomUUID(),
    constraint: CONSTRAINT,
    start: startOf({ request, begun: null, draft }, t),
    freeCredits: offeredCredits(),
  };
}

/** The title tells in a tab that isn't looked at whether the images are there. */
function titleOf(shown: CanvasGeneration, t: ReturnType<typeof translatorFor>): string {
  const title = t("generator.title");
  if (shown.status === "reserved" && !shown.isAbandoned)
    return t("generator.running.tab", { title });
  if (shown.status !== "settled" || !shown.isLatest) return title;
  return t("generator.done.tab", { count: shown.images.length, title });
}

/** A quick result is on the page that the form leads to; for others that page waits. */
const WAIT_MS = 2_000;

interface Sender {
  /** Null for a visitor. */
  userId: string | null;
  locale: Locale;
  clientAddress: string;
}

/**
 * Starts images from the page's form and redirects to the page of the result, which waits for them.
 * Going back and sending the same input again leads to the same result; other input is a new
 * request. The idempotency key is therefore the form's key combined with the input.
 * Who has to sign in or to pay first finds the form as it was sent.
 */
export async function generateFromForm(
  request: Request,
  { userId, locale, clientAddress }: Sender,
) {
  const form = await readForm(request, [...GENERATOR_FIELDS, "intent"]);
  if (userId !== null && form.get("intent") === BUY)
    return leadToPacks(request, { form, userId, locale });
  const submission = parseWithZod(form, { schema: generatorFormSchema });
  if (submission.status !== "success") return formRefused({ submission, hide: [] });
  const { formKey, ...wanted } = submission.value;
  if (userId === null) {
    try {
      await enforceAddressLimit("draft-address", clientAddress);
    } catch (error) {
      return formRefused({ submission, hide: [], error });
    }
    return leadToEntry(request, { wanted, locale });
  }
  try {
    await limitRuns("image", userId);
    const idempotencyKey = formIdempotencyKey(formKey, requestFields(wanted));
    const { generationId, ended } = await beginGeneration({
      userId,
      request: wanted,
      idempotencyKey,
      isAsynchronous: true,
    });
    await waitAtMost(WAIT_MS, ended);
    const forgotten = await forgetDraft(request, "image");
    return redirect(`/${locale}/demo/image-generator?generation=${generationId}`, {
      status: 303,
      ...(forgotten ? { headers: { "Set-Cookie": forgotten } } : {}),
    });
  } catch (error) {
    const isShort = error instanceof AppError && error.code === "insufficient_credits";
    const kept = isShort ? await keepWanted(request, wanted, userId) : null;
    const headers = kept ? { headers: { "Set-Cookie": kept } } : {};
    return formRefused({ submission, hide: [], error, ...headers });
  }
}

/** Keeps a person's form, if it is one that could be sent, and shows them the packs. */
async function leadToPacks(
  request: Request,
  { form, userId, locale }: { form: FormData; userId: string; locale: Locale },
) {
  const submission = parseWithZod(form, { schema: generatorFormSchema });
  const headers = new Headers();
  try {
    await limitRuns("image", userId);
    if (submission.status === "success")
      headers.set("Set-Cookie", await keepWanted(request, submission.value, userId));
  } catch (error) {
    return formRefused({ submission, hide: [], error });
  }
  // As a document, like a visitor's way to the entry page.
  return redirectDocument(`/${locale}/pricing#packs`, { status: 303, headers });
}

/** Keeps a visitor's form and sends them to create an account, or to sign in, and then back to it. */
async function leadToEntry(
  request: Request,
  { wanted, locale }: { wanted: GenerationRequest; locale: Locale },
) {
  const redirectTo = draftPath(`/${locale}/demo/image-generator`);
  // As a document: the page that React shows has none of the entry page's scripts.
  return redirectDocument(await entryPath(request, { locale, redirectTo }), {
    status: 303,
    headers: { "Set-Cookie": await keepWanted(request, wanted) },
  });
}

const keepWanted = (request: Request, { prompt, n, size }: GenerationRequest, userId?: string) =>
  keepDraft(request, "image", { data: { prompt, n, size }, userId });
