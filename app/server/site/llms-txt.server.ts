import { ACTION_KEYS, PRODUCT_NAME } from "~/catalog";
import { DEFAULT_LOCALE } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import { ACTION_PARTS } from "~/models/actions/registry.server";
import { PUBLIC_PAGES, pageUrl } from "~/public-pages";
import { ACTION_APIS } from "~/server/openapi/action-apis";
import { openApiDocument } from "~/server/openapi/document.server";

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/**
 * Describes the site to language models and programs: its public pages in the default language, and the routes of
 * the API that take an API key and are on (llmstxt.org).
 */
export function llmsTxt(siteUrl: URL): string {
  const t = translatorFor(DEFAULT_LOCALE);
  const openApi = `${siteUrl.origin}/api/openapi.json`;
  const pages = PUBLIC_PAGES.map(({ path, title, description }) => {
    const url = pageUrl(siteUrl.origin, DEFAULT_LOCALE, path);
    return `- [${title ? t(title) : PRODUCT_NAME}](${url}): ${t(description)}`;
  });
  return [
    `# ${PRODUCT_NAME}`,
    "",
    `> ${t("meta.home")}`,
    "",
    "## Pages",
    "",
    ...pages,
    "",
    "## API",
    "",
    `- [OpenAPI document](${openApi}): Every route with its fields, examples, errors and limits. Programs send an API key as \`Authorization: Bearer\`; people make keys under Account → API keys.`,
    ...listKeyRoutes(siteUrl).map(({ route, summary }) => `- [${route}](${openApi}): ${summary}`),
    "",
  ].join("\n");
}

function listKeyRoutes(siteUrl: URL): { route: string; summary: string }[] {
  const { paths = {} } = openApiDocument(siteUrl);
  const off = new Set(
    ACTION_KEYS.filter((key) => !ACTION_PARTS[key].isOn()).flatMap((key) =>
      Object.keys(ACTION_APIS[key].paths),
    ),
  );
  const on = Object.entries(paths).filter(([path]) => !off.has(path));
  return on.flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method];
      return operation?.security?.some((way) => "apiKey" in way)
        ? [{ route: `${method.toUpperCase()} ${path}`, summary: `${operation.summary}.` }]
        : [];
    }),
  );
}
