import type { Locale } from "~/i18n/locale";
import type { MessagePart } from "~/i18n/message-part";
import { messagesFor } from "~/i18n/messages.server";

/** The parts that the frame and the error page need. */
const FRAME_PARTS: MessagePart[] = ["nav", "errors"];

const kept = new Map<string, string>();

/**
 * Returns the texts of a page as JSON without any "<", for a script element of its document. They were compiled while building, so that the
 * browser loads no parser of messages (see scripts/lib/compiled-messages.ts).
 */
export function pageMessages(locale: Locale, parts: MessagePart[]): string {
  const key = [locale, ...parts].join();
  const known = kept.get(key);
  if (known !== undefined) return known;
  const texts = messagesFor(locale);
  const wanted = [...FRAME_PARTS, ...parts].map((part) => [part, texts[part]] as const);
  // Inside a script element, only "<" could end the text.
  const json = JSON.stringify(Object.fromEntries(wanted)).replaceAll("<", "\\u003c");
  kept.set(key, json);
  return json;
}
