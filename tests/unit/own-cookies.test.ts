import { expect, test } from "vitest";
import { COOKIE_EFFECTS } from "~/server/http/kept-pages/cookie-effects";
import { OAUTH_PROVIDERS } from "~/services/auth/oauth/oauth-providers";
import { readFolder } from "../../scripts/lib/read-files";

test("the kept pages know every cookie that the app sets: a new one has to say what pages it changes", () => {
  const sources = readFolder("app", /(?<!\.test)\.tsx?$/).map(({ text }) => text);
  const calls = sources.flatMap((text) => text.match(/\bcreateCookie\(/g) ?? []);
  const names = sources
    .flatMap((text) => [...text.matchAll(/createCookie\(https \? ["`]__Host-([\w$@{}-]+)/g)])
    .map(([, name = ""]) => name);
  expect(names).toHaveLength(calls.length);
  // The one name that is computed: each provider's own.
  const all = names.flatMap((name) =>
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source's own text.
    name === "${name}" ? OAUTH_PROVIDERS.map((provider) => `oauth-${provider}`) : [name],
  );
  expect([...all].sort()).toEqual([...COOKIE_EFFECTS.keys()].sort());
});
