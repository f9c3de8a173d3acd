import { isLocalHost } from "~/env/formats";
import { listVariables } from "~/env/variables";

/**
 * The sandbox accepts any payment, so its keys must not be used on a public site. If the site's URL is
 * itself faulty, this cannot be checked.
 */
export function findSandboxFaults(
  texts: Record<string, string>,
  spelling: Record<string, string>,
  siteUrl: URL | undefined,
): string[] {
  if (!siteUrl || isLocalHost(siteUrl.hostname)) return [];
  return listVariables()
    .filter(({ name, key }) => key && /sandbox/i.test(texts[name] ?? ""))
    .map(
      ({ name }) =>
        `${spelling[name]} holds a sandbox key, and NEXT_PUBLIC_SITE_URL is public: set a real one, or unset it`,
    );
}
