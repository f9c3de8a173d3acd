import { expect, test } from "vitest";
import { ACTION_KEYS } from "~/catalog";
import { COOKIE_EFFECTS } from "~/server/http/page-cache/cookie-effects";
import { OAUTH_PROVIDERS } from "~/services/auth/oauth/oauth-providers";
import { THEME_COOKIE } from "~/utils/theme";
import { readFolder } from "../../scripts/lib/read-files";

test("the page cache knows every cookie that the app sets: a new one has to say what pages it changes", () => {
  const sources = readFolder("app", /(?<!\.test)\.tsx?$/).map(({ text }) => text);
  const found = (pattern: RegExp) => sources.flatMap((text) => [...text.matchAll(pattern)]);
  // All cookies but the theme's are made in one place, and the theme's is written in its route.
  expect(found(/\bcreateCookie\(/g)).toHaveLength(1);
  expect(found(/"Set-Cookie": cookie\b/g)).toHaveLength(1);
  const names = found(/\bownCookie\(["`]([\w$@{}-]+)["`]/g).map(([, name = ""]) => name);
  expect(names).toHaveLength(found(/ ownCookie\(/g).length - found(/function ownCookie\(/g).length);
  // The names that are computed: each provider's own, and each action's.
  const computed = new Map([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source's own text.
    ["oauth-${provider}", OAUTH_PROVIDERS.map((provider) => `oauth-${provider}`)],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source's own text.
    ["${action}-draft", ACTION_KEYS.map((action) => `${action}-draft`)],
  ]);
  const all = [THEME_COOKIE, ...names].flatMap((name) => computed.get(name) ?? [name]);
  expect([...all].sort()).toEqual([...COOKIE_EFFECTS.keys()].sort());
});
