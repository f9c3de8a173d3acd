import { getEnv } from "~/env.server";
import { API_LOCALE } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { getObjectStore } from "~/services/storage/s3-store.server";
import { storeOrigins } from "~/services/storage/store-origins.server";
import type { UploadRequest } from "~/services/storage/upload-request";
import { AppError } from "~/utils/app-error";

/** Returns the configured store. @throws AppError 503 storage_disabled while storage is off */
export function requireStore(): ObjectStore {
  const store = getObjectStore();
  if (store) return store;
  throw new AppError({
    code: "storage_disabled",
    publicMessage: "File storage isn't set up on this server, so nothing was stored.",
  });
}

/** Returns the configured store, for a page. @throws Response 404 while storage is off */
export function requirePageStore(): ObjectStore {
  const store = getObjectStore();
  if (store) return store;
  throw new Response(null, { status: 404 });
}

/** @throws AppError 429 rate_limited beyond 60 uploads a minute */
export async function limitUploads(userId: string): Promise<void> {
  await enforceRateLimit(limitRule("upload-user", userId));
}

/** Counts a confirmation, by the API or the page. @throws AppError 429 rate_limited beyond 60 a minute */
export async function limitConfirms(userId: string): Promise<void> {
  await enforceRateLimit(limitRule("confirm-upload-user", userId));
}

/** @throws AppError 429 rate_limited beyond 120 deleted files a minute */
export async function limitDeletions(userId: string): Promise<void> {
  await enforceRateLimit(limitRule("delete-file-user", userId));
}

/** @throws AppError 429 rate_limited beyond 60 changes of who can see images a minute */
export async function limitImageAccess(userId: string): Promise<void> {
  await enforceRateLimit(limitRule("image-access-user", userId));
}

/**
 * Anybody can see public files, so while email is on, only users with a verified address may
 * publish.
 */
export function mayPublish(user: Pick<SessionUser, "emailVerified">): boolean {
  return user.emailVerified || !getEnv().email;
}

/** @throws AppError 403 email_unverified for a public file if the user may not publish */
export function requirePublishable(
  access: UploadRequest["access"],
  user: { emailVerified: boolean },
): void {
  if (access === "private" || mayPublish(user)) return;
  throw new AppError({
    code: "email_unverified",
    publicMessage:
      "To make files public, verify your email address first. Nothing was stored. Your profile page sends you the link.",
  });
}

/** @throws AppError 400 invalid_input for a type that this deployment must not serve */
export function requireServableType(contentType: UploadRequest["contentType"]): void {
  if (isTypeServable(contentType)) return;
  const t = translatorFor(API_LOCALE);
  throw new AppError({
    code: "invalid_input",
    publicMessage: "Nothing was stored. Check this field: contentType.",
    fields: { contentType: [t("validation.svgNotServable")] },
  });
}

/**
 * SVG is active content. It is accepted only while files are served from another origin than the
 * site's, so that its scripts can't reach the site.
 */
export function isTypeServable(contentType: UploadRequest["contentType"]): boolean {
  if (contentType !== "image/svg+xml") return true;
  const { storage, siteUrl } = getEnv();
  return storage.enabled && !storeOrigins(storage).includes(siteUrl.origin);
}
