import type { IncomingMessage } from "node:http";
import Negotiator from "negotiator";

/** In the order of preference, where a client takes several alike. */
export const ENCODINGS = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Returns the encoding that this client likes best of those there are; `identity` if it takes none. */
export function chooseEncoding(
  request: IncomingMessage,
  available: readonly Encoding[] = ENCODINGS,
): Encoding {
  if (request.headers["accept-encoding"] === undefined) return "identity";
  // The types lack the option.
  const negotiator: {
    encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
  } = new Negotiator(request);
  const [best] = negotiator.encodings(available, { preferred: ENCODINGS });
  return ENCODINGS.find((encoding) => encoding === best) ?? "identity";
}
