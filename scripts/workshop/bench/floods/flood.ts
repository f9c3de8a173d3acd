/** The one network that every flood comes from: a stranger with one machine. */
export const ATTACKER = "198.51.100.7";

/** A flood of requests by one stranger, who may have some free accounts. */
export interface Flood {
  /** One line: what is sent, and from the review the number of the finding. */
  what: string;
  /** Whether the server asks for the bot challenge. */
  hasBotChallenge?: true;
  /** Which upload of other people is measured; the direct one if left out. */
  neighbours?: "form";
  /** Signs up and stores what the flood needs. Returns one wave, which is repeated while it lasts. */
  prepare(siteUrl: string): Promise<Wave>;
}

/** Sends some requests at once. Resolves with the statuses once all have a response. */
export type Wave = (signal: AbortSignal) => Promise<(number | string)[]>;

/** Sends `count` requests at once. What the connection does instead of a response is counted, too. */
export function atOnce(
  count: number,
  send: (index: number) => Promise<number>,
): Promise<(number | string)[]> {
  const sent = Array.from({ length: count }, (_, index) => send(index));
  return Promise.all(sent.map((one) => one.catch((error: Error) => error.name)));
}
