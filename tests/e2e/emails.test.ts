import { expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { LOCALES } from "~/i18n/locale";
import { MIDDLE_PACK, TOP_PLAN } from "../fixtures/sold";
import { expectNarrow, withBrowser } from "../helpers/browser";
import { signUp } from "../helpers/client";
import { byRun, PLAIN_PAGE_MODES } from "../helpers/runs";
import { expectSignedIn } from "../helpers/signed-in";
import { runMaintenance } from "../helpers/with-image-server";
import { withMailServer } from "../helpers/with-mail-server";

const app = withMailServer({ CRON_SECRET: "cron-secret-for-tests-only" });
const browser = withBrowser();
const PASSWORD = "correct horse battery";

/** One email of every kind for a person, written in a language, as the app sends it. */
async function sendAll(locale: string): Promise<ReturnType<typeof app.mailsTo>> {
  const { email } = await signUp(app.url);
  await app.linkTo(email, 1);
  await app.sql("UPDATE users SET locale = $2, email_verified_at = NULL WHERE email = $1", [
    email,
    locale,
  ]);
  await app.sql(
    `WITH person AS (SELECT id, email, locale FROM users WHERE email = $1), bought AS (
       INSERT INTO orders (user_id, provider, provider_checkout_id, sku_key, credits, amount, currency,
         status, paid_at)
       SELECT id, 'stripe', gen_random_uuid(), '${MIDDLE_PACK.skuKey}', 500, 1900, '${CURRENCY}', 'paid', now()
       FROM person RETURNING id
     ), plans AS (
       INSERT INTO subscriptions (user_id, provider, provider_subscription_id, plan_key, period, status,
         current_period_end, cancel_at_period_end)
       SELECT person.id, 'stripe', gen_random_uuid(), '${TOP_PLAN.planKey}', 'month', state::subscription_status,
         now() + interval '20 days', true
       FROM person, unnest(ARRAY['past_due', 'active', 'canceled']) AS state
       RETURNING id, status
     ), paid AS (
       INSERT INTO subscription_periods (subscription_id, provider, provider_payment_id, starts_at,
         ends_at, plan_key, period, amount, currency)
       SELECT id, 'stripe', gen_random_uuid(), now(), now() + interval '1 month', '${TOP_PLAN.planKey}', 'month', 2900,
         '${CURRENCY}' FROM plans WHERE status = 'active' RETURNING id
     ), account AS (
       INSERT INTO credit_accounts (user_id) SELECT id FROM person
       ON CONFLICT (user_id) DO UPDATE SET user_id = excluded.user_id RETURNING user_id
     ), keys AS (
       INSERT INTO api_keys (account_id, actor_id, name, prefix, token_hash, scopes)
       SELECT user_id, user_id, 'Deploy script', '', uuid_send(gen_random_uuid()), '{}' FROM account RETURNING id
     ), crossed AS (
       INSERT INTO crossings (account_id, watcher) SELECT user_id, 'low_balance' FROM account RETURNING id
     ), limits AS (
       SELECT jsonb_build_object('limit', 1000, 'used', 812, 'month', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-01')) AS used
     ), moment AS (SELECT jsonb_build_object('at', now() + interval '6 days') AS at)
     INSERT INTO outbox_emails (user_id, kind, recipient, locale, data)
     SELECT person.id, kind, email, locale, at || data FROM person, moment, (
       VALUES ('verify_email', '{}'::jsonb), ('reset_password', '{}'),
         ('sign_in_link', '{"redirectTo": "/en/account"}'),
         ('change_email', '{"newEmail": "a.rather.long.address.of.somebody@post.example.com"}'),
         ('email_changed', '{"newEmail": "new@example.com"}'), ('password_changed', '{}'),
         ('sign_up_notice', '{}'), ('account_deleted', '{}'), ('credits_expiring', '{"amount": 80}'),
         ('password_known', '{}'),
         ('new_device', '{"userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Firefox/130.0"}')
       UNION ALL SELECT 'factor_changed', jsonb_build_object('change', change, 'name', 'Work laptop')
         FROM unnest(ARRAY['totp_added', 'totp_removed', 'recovery_codes_made', 'recovery_code_used',
           'passkey_added', 'passkey_removed', 'provider_linked', 'provider_unlinked', 'password_set'])
           AS change
       UNION ALL SELECT 'receipt', jsonb_build_object('orderId', id) FROM bought
       UNION ALL SELECT 'receipt', jsonb_build_object('paymentId', id) FROM paid
       UNION ALL SELECT 'payment_failed', jsonb_build_object('subscriptionId', id)
         FROM plans WHERE status = 'past_due'
       UNION ALL SELECT 'subscription_ending', jsonb_build_object('subscriptionId', id)
         FROM plans WHERE status IN ('active', 'canceled')
       UNION ALL SELECT 'low_balance', jsonb_build_object('crossingId', id, 'mark', 50, 'balance', 14) FROM crossed
       UNION ALL SELECT 'monthly_limit', used || '{"apiKeyId": null, "percent": 80}' FROM limits
       UNION ALL SELECT 'monthly_limit', used || jsonb_build_object('apiKeyId', id, 'percent', 100) FROM limits, keys
       UNION ALL SELECT 'top_up_off', jsonb_build_object('reason', reason)
         FROM unnest(enum_range(NULL::top_up_off)) AS reason WHERE reason <> 'owner'
       UNION ALL SELECT topped.kind, jsonb_build_object('skuKey', '${MIDDLE_PACK.skuKey}', 'topUpId', gen_random_uuid())
         FROM unnest(ARRAY['top_up_action', 'top_up_declined']) AS topped (kind)
     ) AS emails (kind, data)`,
    [email],
  );
  await runMaintenance(app.url);
  // The server may have taken some of them itself, at the end of the sign-up's request.
  const waiting = () =>
    app.sql("SELECT kind FROM outbox_emails WHERE recipient = $1 AND sent_at IS NULL", [email]);
  await expect.poll(waiting).toEqual([]);
  const mails = (await app.mailsTo(email)).slice(1);
  expect(mails).toHaveLength(36);
  return mails;
}

test.each(byRun({ few: ["en"], many: [...LOCALES] }))(
  "every email in %s fits a phone, in light and in dark",
  async (locale) => {
    const mails = await sendAll(locale);
    const page = await browser.open({ javaScript: true, width: 390 });
    const folder = process.env.SCREENSHOTS;
    for (const [index, { html, text, subject }] of mails.entries()) {
      expect(html).toContain(`lang="${locale}"`);
      expect(`${subject} ${text}`).not.toMatch(/undefined|Invalid Date|\{\w+\}|mail\.\w+/);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setContent(html);
        const overflow = await page
          .locator("html")
          .evaluate((root) => root.scrollWidth - root.clientWidth);
        expect([subject, overflow]).toEqual([subject, 0]);
        const ground = await page
          .locator("body")
          .evaluate((body) => getComputedStyle(body).backgroundColor);
        expect(ground).toBe(colorScheme === "dark" ? "rgb(12, 12, 18)" : "rgb(248, 248, 251)");
        if (folder) {
          const name = `email-${locale}-${String(index).padStart(2, "0")}-${colorScheme}.png`;
          await page.screenshot({ path: `${folder}/${name}`, fullPage: true });
        }
      }
    }
  },
);

test.each(PLAIN_PAGE_MODES)(
  "with JavaScript %s a person chooses their emails and changes their address",
  async (javaScript) => {
    const page = await browser.open({ javaScript });
    const { email } = await signUp(app.url);
    await app.linkTo(email, 1);
    await app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [email]);
    await page.goto(`${app.url}/en/sign-in`);
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expectSignedIn(page);

    await page.goto(`${app.url}/en/account/profile`);
    await page.getByLabel("Receipts").uncheck();
    await page.getByRole("button", { name: "Update emails" }).click();
    await page.getByText("Your choice of emails is saved.").waitFor();
    await page.reload();
    expect(await page.getByLabel("Receipts").isChecked()).toBe(false);
    expect(await page.getByLabel("When my plan ends").isChecked()).toBe(true);

    await page.goto(`${app.url}/en/account/limits`);
    const mark = page.getByLabel("Write when fewer credits are left than");
    await mark.fill("some");
    await page.getByRole("button", { name: "Save the reminder" }).click();
    await page.getByText("Enter a whole number of credits").waitFor();
    expect(await mark.inputValue()).toBe("some");
    await mark.fill("50");
    await page.getByRole("button", { name: "Save the reminder" }).click();
    await page.getByText("Your reminder is saved.").waitFor();
    expect(await mark.inputValue()).toBe("50");
    await expectNarrow(page);
    expect(await page.getByLabel("Most credits a month").inputValue()).toBe("");

    await page.goto(`${app.url}/en/account/profile`);
    await page.getByRole("link", { name: "Change email address" }).click();
    const newEmail = `moved-${email}`;
    await page.getByLabel("New email address").fill(newEmail);
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByText("the link is on its way").waitFor();
    await page.goto(app.url + (await app.linkTo(newEmail, 1)));
    await page.getByRole("button", { name: "Use this email address" }).click();
    await page.getByText("Your email address is changed.").waitFor();
    await page.getByRole("region", { name: "Email address" }).getByText(newEmail).waitFor();
  },
);
