import { expect, test } from "vitest";
import { PRODUCT_NAME } from "~/catalog";
import { OTHER_LOCALE, translatorOf } from "../../fixtures/languages";
import { createClient } from "../../helpers/client";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer({ NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true" });

const textAt = async (path: string) => (await fetch(app.url + path)).text();
const titleAt = async (path: string) => (await textAt(path)).match(/<title>([^<]*)<\/title>/)?.[1];

test.each([
  ["/en/sign-in", `Sign in · ${PRODUCT_NAME}`],
  [`/${OTHER_LOCALE}/sign-in`, `${translatorOf(OTHER_LOCALE)("signIn.title")} · ${PRODUCT_NAME}`],
  ["/en/verify-email?token=x", `This link doesn’t work · ${PRODUCT_NAME}`],
  ["/en/nowhere", PRODUCT_NAME],
  ["/nowhere", PRODUCT_NAME],
  // The samples of components and emails are for development.
  ["/dev/ui", PRODUCT_NAME],
  ["/dev/emails", PRODUCT_NAME],
])("%s has the title of its page, and an error page the product's name", async (path, title) => {
  expect(await titleAt(path)).toBe(title);
});

test("production shows no sample of an email", async () => {
  expect((await fetch(`${app.url}/dev/emails/en/receipt`)).status).toBe(404);
});

test("only a page whose address holds a secret shortens the referrer", async () => {
  const referrer = '<meta name="referrer" content="strict-origin"/>';
  expect(await textAt("/en/reset-password?token=x")).toContain(referrer);
  expect(await textAt("/en/sign-in")).not.toContain(referrer);
});

test("the note that something was done goes with the next refusal", async () => {
  const note = "Your new password is set";
  const path = "/en/sign-in?done=reset";
  expect(await textAt(path)).toContain(note);
  const wrong = { email: "nobody@example.com", password: "wrong password" };
  const refused = await createClient(app.url).post(path, wrong);
  expect(refused.status).toBe(400);
  expect(await refused.text()).not.toContain(note);
});

test.each(["__proto__", "toString", "nothing"])("?done=%s shows no note", async (done) => {
  expect(await textAt(`/en/sign-in?done=${done}`)).not.toContain('role="status"');
});
