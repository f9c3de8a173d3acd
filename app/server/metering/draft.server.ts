import type { Cookie } from "@remix-run/node";
import type { z } from "zod";
import { ACTION_KEYS, type ActionKey } from "~/catalog";
import {
  createChallenge,
  dropChallenge,
  findChallenge,
} from "~/models/accounts/auth-challenges.server";
import { ownCookie } from "~/server/request/own-cookie.server";

const LIFETIME_SECONDS = 24 * 60 * 60;

const cookies = new Map<ActionKey, Cookie>();

/** Holds a token of 256 random bits; the row holds the draft and the token's hash. */
function draftCookie(action: ActionKey): Cookie {
  const cookie = cookies.get(action) ?? ownCookie(`${action}-draft`, { maxAge: LIFETIME_SECONDS });
  cookies.set(action, cookie);
  return cookie;
}

async function keyOf(request: Request, action: ActionKey) {
  const value: unknown = await draftCookie(action).parse(request.headers.get("Cookie"));
  return { purpose: `${action}_draft` as const, token: typeof value === "string" ? value : "" };
}

/**
 * Keeps an action's form for a day, for this browser alone, in place of the one it had: its person has to
 * sign in or to pay first. A signed-in person's is shown to nobody else. Returns the `Set-Cookie` value.
 */
export async function keepDraft(
  request: Request,
  action: ActionKey,
  { data, userId }: { data: Record<string, unknown>; userId?: string | undefined },
): Promise<string> {
  const key = await keyOf(request, action);
  await dropChallenge(key);
  const { purpose } = key;
  return draftCookie(action).serialize(
    await createChallenge({ purpose, data, ...(userId ? { userId } : {}) }),
  );
}

/** Returns the draft that this browser has for the person; null if there is none that the schema takes. */
export async function findDraft<Schema extends z.ZodType>(
  request: Request,
  action: ActionKey,
  { schema, userId }: { schema: Schema; userId?: string | undefined },
): Promise<z.output<Schema> | null> {
  const kept = await findKept(request, action, userId);
  return schema.safeParse(kept?.data).data ?? null;
}

/** Returns the first action of which this browser has a draft for the person; null if there is none. */
export async function findWaiting(request: Request, userId: string): Promise<ActionKey | null> {
  const kept = await Promise.all(ACTION_KEYS.map((action) => findKept(request, action, userId)));
  return ACTION_KEYS[kept.findIndex((draft) => draft !== null)] ?? null;
}

async function findKept(request: Request, action: ActionKey, userId: string | undefined) {
  const key = await keyOf(request, action);
  const kept = key.token === "" ? null : await findChallenge(key);
  return kept && (kept.userId === null || kept.userId === userId) ? kept : null;
}

/** Deletes this browser's draft. Returns the `Set-Cookie` value; null if there was none. */
export async function forgetDraft(request: Request, action: ActionKey): Promise<string | null> {
  const key = await keyOf(request, action);
  if (key.token === "") return null;
  await dropChallenge(key);
  return draftCookie(action).serialize("", { maxAge: 0 });
}

/** Deletes the drafts of all actions. Returns the `Set-Cookie` values. */
export async function forgetDrafts(request: Request): Promise<string[]> {
  const dropped = await Promise.all(ACTION_KEYS.map((action) => forgetDraft(request, action)));
  return dropped.filter((cookie) => cookie !== null);
}
