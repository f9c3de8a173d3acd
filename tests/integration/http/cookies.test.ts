import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { COOKIE_EFFECTS } from "~/server/http/page-cache/cookie-effects";
import { createClient, PASSWORD } from "../../helpers/client";
import { codeOf } from "../../helpers/factors";
import { withOauthServer } from "../../helpers/with-oauth-server";

const app = withOauthServer({
  NEXT_PUBLIC_SITE_URL: "https://localhost",
  TRUST_PROXY: "1",
  NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true",
  NEXT_PUBLIC_ENABLE_TEXT_GENERATION: "true",
  SMTP_URL: "smtp://127.0.0.1:9",
  EMAIL_FROM: "Credits <credits@example.com>",
});
const SIGNED_IN = { email: "cookies@example.com", password: PASSWORD };
const TOTP_PAGE = "/en/account/security/totp";

test("every cookie of the list is set under https with __Host-, Secure, HttpOnly and SameSite=Lax, and no other", async () => {
  const client = createClient(app.url);
  const set = new Map<string, string>();
  const post = async (path: string, fields: Record<string, string>) => {
    const response = await client.post(path, fields);
    for (const cookie of response.headers.getSetCookie())
      set.set(cookie.split("=")[0] ?? "", cookie.slice(cookie.indexOf(";")));
    return response;
  };
  expect((await post("/en/sign-up", SIGNED_IN)).status).toBe(303);
  for (const provider of ["github", "google"]) await post(`/en/auth/${provider}`, {});
  await post("/en/theme", { theme: "dark" });
  await post(TOTP_PAGE, { intent: "start" });
  const page = await (await client.fetch(TOTP_PAGE)).text();
  const secret = /secret=([A-Z2-7]{32})/.exec(page)?.[1] ?? "";
  expect((await post(TOTP_PAGE, { intent: "confirm", code: codeOf(secret) })).status).toBe(200);
  await post("/en/sign-out", {});
  await post("/en/forgot-password", { email: SIGNED_IN.email });
  const drawing = { prompt: "a lake", n: "1", size: "square", formKey: randomUUID() };
  await post("/en/demo/image-generator", drawing);
  await post("/en/demo/text-generator", { prompt: "a poem", formKey: randomUUID() });
  await post("/en/sign-in", SIGNED_IN);

  const names = [...COOKIE_EFFECTS.keys()].map((name) => `__Host-${name}`);
  expect([...set.keys()].sort()).toEqual(names.sort());
  for (const [name, attributes] of set)
    expect([name, attributes]).toEqual([
      name,
      expect.stringMatching(
        /^; Max-Age=\d+; Path=\/; (Expires=[^;]+; )?HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
});
