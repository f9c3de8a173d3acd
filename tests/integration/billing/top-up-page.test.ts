import { expect, onTestFinished, test } from "vitest";
import { PACKS } from "~/catalog";
import { translatorFor } from "~/i18n/messages.server";
import { writeShown } from "~/services/payments/top-up-form";
import { PACK } from "../../fixtures/sold";
import { signUp } from "../../helpers/client";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer();
const PAGE = "/en/account/billing/top-up";
const t = translatorFor("en");
const FIELDS = { intent: "card", threshold: "2", skuKey: PACK.skuKey, monthlyAmount: "500" };

const settingsOf = (email: string) =>
  app.sql<{ threshold: number | null; asked: number | null }>(
    `SELECT threshold, (card_terms ->> 'threshold')::int AS asked
     FROM account_settings JOIN users ON users.id = account_id WHERE email = $1`,
    [email],
  );

test("the form says what the page showed, and a pack that has changed since is refused", async () => {
  const person = await signUp(app.url);
  const page = await (await person.fetch(PAGE)).text();
  expect(page).toContain(`name="shown" value="${writeShown(PACKS)}"`);
  const before = writeShown([{ ...PACK, amount: PACK.amount - 1 }]);
  for (const shown of [before, ""]) {
    const refused = await person.post(PAGE, { ...FIELDS, shown });
    expect(refused.status).toBe(400);
    const body = await refused.text();
    expect(body).toContain(t("validation.topUpChanged"));
    // The page that refuses shows the present ones.
    expect(body).toContain(`name="shown" value="${writeShown(PACKS)}"`);
  }
  expect(await settingsOf(person.email)).toEqual([]);
});

test("terms for a card wait until it is kept, and the form has them", async () => {
  const person = await signUp(app.url);
  const reply = await person.post(PAGE, { ...FIELDS, shown: writeShown(PACKS) });
  expect(reply.status).toBe(303);
  expect(await settingsOf(person.email)).toEqual([{ threshold: null, asked: 2 }]);
  const page = await (await person.fetch(PAGE)).text();
  expect(page).toMatch(/<input[^>]*name="threshold"[^>]*value="2"/);
});

test("the terms of use tell of automatic payments where they are offered, and the privacy policy of the kept card", async () => {
  const pages = async (url: string) =>
    Promise.all(
      ["terms", "privacy"].map(async (name) => (await fetch(`${url}/en/${name}`)).text()),
    );
  const [terms, privacy] = await pages(app.url);
  expect(terms).toContain(t("legal.termsTopUp"));
  expect(privacy).toContain("they keep your card until you turn it off");
  const other = await app.startAnother({ PROVIDER_A_TOP_UP: "false" });
  onTestFinished(() => other.stop());
  const [without] = await pages(other.url);
  expect(without).not.toContain(t("legal.termsTopUp"));
});
