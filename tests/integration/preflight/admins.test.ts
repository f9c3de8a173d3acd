import { expect, test } from "vitest";
import { readConfiguration } from "../../../scripts/preflight/configuration";
import { checkDatabase } from "../../../scripts/preflight/database-checks";
import { REQUIRED } from "../../fixtures/preflight";
import { openSession } from "../../helpers/migrations";
import { createTestDatabase } from "../../helpers/test-database";

const USER = "00000000-0000-4000-8000-00000000000a";

async function judge(statements: string[], addresses: string) {
  const databaseUrl = await createTestDatabase();
  const session = await openSession(databaseUrl);
  for (const sql of statements) await session.query(sql);
  const source = { ...REQUIRED, DATABASE_URL: databaseUrl, ADMIN_EMAILS: addresses };
  const options = { migrationsFolder: "prisma/migrations", isSkipped: () => false };
  const checks = await checkDatabase(readConfiguration(source), options);
  return checks.find(({ id }) => id === "site.admins");
}

test("addresses in ADMIN_EMAILS that can't get in are counted, and not printed", async () => {
  const create = `INSERT INTO users (id, email) VALUES ('${USER}', 'a@example.com')`;
  const verify = "UPDATE users SET email_verified_at = now()";
  const passkey = `INSERT INTO passkeys (user_id, credential_id, public_key, backed_up, name)
    VALUES ('${USER}', 'id', 'key', false, 'A phone')`;
  const app = `INSERT INTO totp_factors (user_id, encrypted_secret, confirmed_at) VALUES ('${USER}', '\\x00', now())`;
  for (const statements of [[create], [create, verify], [create, app], [create, verify, passkey]]) {
    const found = await judge(statements, "a@example.com, b@example.com");
    expect(found).toMatchObject({ status: "warn", message: expect.stringMatching(/^2 of the/) });
    expect(JSON.stringify(found)).not.toContain("example.com");
  }
  const found = await judge([create, verify, app], "A@example.com");
  expect(found).toMatchObject({ status: "pass" });
});
