import { z } from "zod";
import { isLocalHost } from "~/env.server";

/** Whether a provider runs on this machine, so that its images may use plain http. */
export function isLocalApi(apiBase: string): boolean {
  return isLocalHost(new URL(apiBase).hostname);
}

/** An image URL that a provider may return. One that the server may not fetch is passed on as it is. */
export const imageUrlSchema = z
  .string()
  .refine(
    (text) =>
      text.startsWith("data:image/") ||
      (URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol)),
  );
