import type { Provider } from "./faults";

/** The app's client at each provider. The names contain `sandbox`, so no public site starts with them. */
export function clientIdOf(provider: Provider): string {
  return `sandbox-${provider}-client`;
}

export function clientSecretOf(provider: Provider): string {
  return `sandbox-${provider}-secret`;
}

/** Whether a request to the token endpoint carries the client's id and secret (HTTP Basic). */
export function isClient(provider: Provider, authorization: string | undefined): boolean {
  const expected = `${clientIdOf(provider)}:${clientSecretOf(provider)}`;
  return authorization === `Basic ${Buffer.from(expected).toString("base64")}`;
}
