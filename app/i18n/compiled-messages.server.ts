import compile from "icu-minify/compile";
import type { Locale } from "~/i18n/locale";
import type { MessagePart } from "~/i18n/message-part";
import { messagesFor } from "~/i18n/messages.server";

/** The parts that the frame and the error page need. */
const FRAME_PARTS: MessagePart[] = ["nav", "errors"];

const compiled = new Map<string, string>();

/**
 * Returns texts of a language as JSON, compiled for the browser, which loads no parser of messages
 * (`use-intl/format-message/format-only`, see vite.config.ts).
 */
export function compiledMessages(locale: Locale, parts: MessagePart[]): string {
  const key = [locale, ...parts].join();
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const texts = messagesFor(locale);
  const wanted = [...FRAME_PARTS, ...parts].map((part) => [part, compileAll(texts[part])] as const);
  const json = JSON.stringify(Object.fromEntries(wanted));
  compiled.set(key, json);
  return json;
}

type Messages = string | { [key: string]: Messages };

function compileAll(messages: Messages): unknown {
  if (typeof messages === "string") return compile(messages);
  return Object.fromEntries(
    Object.entries(messages).map(([key, message]) => [key, compileAll(message)]),
  );
}
