import type { Locale } from "~/i18n/locale";
import { isUuid } from "~/utils/uuid";

interface Return {
  request: Request;
  locale: Locale;
  /** The finished change, which the page names. */
  done?: string;
}

/**
 * The page that a form about one file leads back to: the generation whose image it is, if the address names
 * one, or the files.
 */
export function pageOfFile({ request, locale, done }: Return): string {
  const generation = new URL(request.url).searchParams.get("generation") ?? "";
  const search = new URLSearchParams({
    ...(isUuid(generation) ? { generation } : {}),
    ...(done ? { done } : {}),
  });
  const page = isUuid(generation) ? "demo/image-generator" : "files";
  return `/${locale}/${page}${search.size > 0 ? `?${search}` : ""}`;
}
