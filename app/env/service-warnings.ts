import { isLocalHost } from "~/env/formats";
import type { ServiceValues } from "~/env/service";

/** Clients may be able to reach the server without the proxy that is believed. */
export const OPEN_PORT =
  "TRUST_PROXY is on and the server listens on every address, so that whoever reaches its port past the proxy can forge their address: set HOST to 127.0.0.1, or to 0.0.0.0 if only the proxy can reach the port";

/** Warnings about settings that start but will not work well. */
export function listServiceWarnings(values: ServiceValues): string[] {
  const warnings: string[] = [];
  const site = values.NEXT_PUBLIC_SITE_URL;
  if (isLocalHost(site.hostname)) {
    if (values.NODE_ENV !== "development")
      warnings.push(
        "NEXT_PUBLIC_SITE_URL is a localhost address: links in emails and returns from checkout work on this machine only",
      );
  } else if (site.protocol === "http:") {
    warnings.push(
      "NEXT_PUBLIC_SITE_URL is plain http: passwords and session cookies cross the network in the clear",
    );
  } else if (values.TRUST_PROXY === 0) {
    warnings.push(
      "TRUST_PROXY is 0 and the site is https, which this server does not speak itself: behind a proxy all visitors share its address, and with it their rate limits",
    );
  }
  if (values.TRUST_PROXY > 0 && !values.HOST) warnings.push(OPEN_PORT);
  if (values.TRUST_PROXY_HOST && values.TRUST_PROXY === 0)
    warnings.push("TRUST_PROXY_HOST has no effect while TRUST_PROXY is 0");
  for (const name of ["CRON_SECRET", "METRICS_SECRET"] as const)
    if (values[name] && values[name].length < 16)
      warnings.push(`${name} is short: make one with \`openssl rand -hex 32\``);
  if (values.PENDING_FILE_TTL < values.UPLOAD_URL_TTL)
    warnings.push(
      "PENDING_FILE_TTL is below UPLOAD_URL_TTL: files are swept while they may still be uploaded",
    );
  return warnings;
}
