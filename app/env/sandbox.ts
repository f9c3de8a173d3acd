import { isLocalHost } from "~/env/formats";
import { listVariables } from "~/env/variables";

/** `stripe listen` prints 64 hexadecimal digits; the secret of an endpoint has other characters, too. */
const LISTENER_SECRET = /^whsec_[0-9a-f]{64}$/;

/** Credentials that only a site on this machine may use, and what to do instead. */
const LOCAL: { fits(text: string): boolean; holds: string; action: string }[] = [
  {
    fits: (text) => /sandbox/i.test(text),
    // The sandbox accepts any payment.
    holds: "a sandbox key",
    action: "set a real one, or unset it",
  },
  {
    fits: (text) => LISTENER_SECRET.test(text),
    holds: "the secret of a local listener (`stripe listen`)",
    action: "set that of the endpoint of this site",
  },
];

/** Finds credentials of a trial on a public site. If the site's URL is itself faulty, this cannot be checked. */
export function findSandboxFaults(
  texts: Record<string, string>,
  spelling: Record<string, string>,
  siteUrl: URL | undefined,
): string[] {
  if (!siteUrl || isLocalHost(siteUrl.hostname)) return [];
  return listVariables()
    .filter(({ key }) => key)
    .flatMap(({ name }) => {
      const found = LOCAL.find(({ fits }) => fits(texts[name] ?? ""));
      if (!found) return [];
      return `${spelling[name]} holds ${found.holds}, and NEXT_PUBLIC_SITE_URL is public: ${found.action}`;
    });
}
