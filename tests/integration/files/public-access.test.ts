import { expect, test } from "vitest";
import { OTHER_LOCALE, translatorOf } from "../../fixtures/languages";
import { type Client, signUp } from "../../helpers/client";
import { PNG } from "../../helpers/sample-files";
import { withMailServer } from "../../helpers/with-mail-server";

const app = withMailServer();

const ask = (client: Client, access?: string) =>
  client.json("POST", "/api/storage/upload", {
    filename: "cat.png",
    contentType: "image/png",
    contentLength: PNG.length,
    access,
  });

function post(client: Client, access: string): Promise<Response> {
  const body = new FormData();
  body.set("file", new File([new Uint8Array(PNG)], "cat.png", { type: "image/png" }));
  body.set("access", access);
  return client.fetch("/en/files", { method: "POST", body });
}

const verify = (email: string) =>
  app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [email]);

const filesOf = (email: string) =>
  app.sql("SELECT 1 FROM files JOIN users ON users.id = user_id WHERE email = $1", [email]);

test("where mail is on, a public upload is for verified addresses, at the JSON interface and in the form", async () => {
  const person = await signUp(app.url);
  const refused = await ask(person, "public");
  expect([refused.status, refused.body.code]).toEqual([403, "email_unverified"]);
  expect(refused.body.detail).toContain("profile page");
  const form = await post(person, "public");
  expect(form.status).toBe(403);
  expect(await form.text()).toContain(
    "To make files public, verify your email address first. Nothing was stored.",
  );
  expect(await filesOf(person.email)).toEqual([]);

  await verify(person.email);
  expect((await ask(person, "public")).status).toBe(200);
  expect((await post(person, "public")).status).toBe(303);
});

test("a private upload needs no verified address", async () => {
  const person = await signUp(app.url);
  expect((await ask(person)).status).toBe(200);
  expect((await post(person, "private")).status).toBe(303);
});

test("the page says what a public file needs, and leads there", async () => {
  const person = await signUp(app.url);
  // The page's script holds all texts of the page.
  const readPage = async () =>
    (await (await person.fetch(`/${OTHER_LOCALE}/files`)).text()).replaceAll(
      /<script.*?<\/script>/gs,
      "",
    );
  const hint = translatorOf(OTHER_LOCALE)("files.publicUnverified");
  const page = await readPage();
  expect(page).toContain(hint);
  expect(page).toContain(`href="/${OTHER_LOCALE}/account/profile"`);
  await verify(person.email);
  expect(await readPage()).not.toContain(hint);
});
