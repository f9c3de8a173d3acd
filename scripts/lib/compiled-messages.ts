import compile from "icu-minify/compile";
import type { Plugin } from "vite";

type Messages = { [key: string]: string | Messages };
type Compiled = { [key: string]: ReturnType<typeof compile> | Compiled };

const LOCALE_FILE = /\/app\/i18n\/locales\/\w+\.json$/;

/**
 * Compiles the texts of `app/i18n/locales/` while building, and replaces use-intl's interpreter of ICU
 * messages with its small formatter of compiled ones. Neither a request nor a browser parses a text.
 */
export function compiledMessages(): Plugin {
  return {
    name: "compiled-messages",
    enforce: "pre",
    config: () => ({
      resolve: {
        alias: [
          {
            find: /^use-intl\/format-message$/,
            replacement: "use-intl/format-message/format-only",
          },
        ],
      },
      // Node would load these packages itself, with the interpreter.
      ssr: { noExternal: ["use-intl", "@formatjs/fast-memoize"] },
    }),
    transform(code, id) {
      if (!LOCALE_FILE.test(id)) return null;
      return { code: JSON.stringify(compileMessages(JSON.parse(code) as Messages)), map: null };
    },
  };
}

/** Compiles every text of one language. Throws if one is not valid. */
export function compileMessages(messages: Messages): Compiled {
  const compiled = Object.entries(messages).map(([key, value]) => [
    key,
    typeof value === "string" ? compile(value) : compileMessages(value),
  ]);
  return Object.fromEntries(compiled) as Compiled;
}
