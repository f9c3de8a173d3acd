import type { Cookie } from "@remix-run/node";
import {
  createChallenge,
  dropChallenge,
  findChallenge,
} from "~/models/accounts/auth-challenges.server";
import { ownCookie } from "~/server/request/own-cookie.server";
import {
  type GenerationRequest,
  generationRequestSchema,
} from "~/services/images/generation-request";

const purpose = "image_draft";
const LIFETIME_SECONDS = 24 * 60 * 60;

let cookie: Cookie | undefined;

/** Holds a token of 256 random bits; the row holds the draft and the token's hash. */
function draftCookie(): Cookie {
  cookie ??= ownCookie("image-draft", { maxAge: LIFETIME_SECONDS });
  return cookie;
}

async function readToken(request: Request): Promise<string> {
  const value: unknown = await draftCookie().parse(request.headers.get("Cookie"));
  return typeof value === "string" ? value : "";
}

/**
 * Keeps the generator's form for a day, for this browser alone, in place of the one it had: its person has to
 * sign in or to pay first. A signed-in person's is shown to nobody else. Returns the `Set-Cookie` value.
 */
export async function keepDraft(
  request: Request,
  { prompt, n, size }: GenerationRequest,
  userId?: string,
): Promise<string> {
  await dropChallenge({ purpose, token: await readToken(request) });
  const data = { prompt, n, size };
  return draftCookie().serialize(
    await createChallenge({ purpose, data, ...(userId ? { userId } : {}) }),
  );
}

/** Returns the draft that this browser has for the person; null if there is none. */
export async function findDraft(
  request: Request,
  userId?: string,
): Promise<GenerationRequest | null> {
  const token = await readToken(request);
  const kept = token === "" ? null : await findChallenge({ purpose, token });
  if (!kept || (kept.userId !== null && kept.userId !== userId)) return null;
  return generationRequestSchema.safeParse(kept.data).data ?? null;
}

/** Deletes this browser's draft. Returns the `Set-Cookie` value; null if there was none. */
export async function forgetDraft(request: Request): Promise<string | null> {
  const token = await readToken(request);
  if (token === "") return null;
  await dropChallenge({ purpose, token });
  return draftCookie().serialize("", { maxAge: 0 });
}
