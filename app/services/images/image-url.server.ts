import { z } from "zod";
import { isLocalHost } from "~/env.server";

/** Whether a provider runs on this machine, so that its images may use plain http. */
export function isLocalApi(apiBase: string): boolean {
  return isLocalHost(new URL(apiBase).hostname);
}

/** An image URL that a provider may return: one that a page can show and the server can fetch. */
export function imageUrlSchema(apiBase: string) {
  const protocols = isLocalApi(apiBase) ? ["https:", "http:"] : ["https:"];
  return z
    .string()
    .refine(
      (text) =>
        text.startsWith("data:image/") ||
        (URL.canParse(text) && protocols.includes(new URL(text).protocol)),
    );
}
