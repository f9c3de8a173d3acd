import { conclude, pass, skip, warning } from "./check";
import type { Configuration } from "./configuration";
import type { DatabaseCheck } from "./database-check";
import { hasTable } from "./has-table";

/** Finds addresses of ADMIN_EMAILS whose account is missing, unverified or without an authenticator app: they can't get in. */
export function checkAdmins({ env: { adminEmails } }: Configuration): DatabaseCheck {
  const id = "site.admins";
  return {
    id,
    async run(client) {
      if (adminEmails.length === 0)
        return pass(id, "ADMIN_EMAILS is not set: there are no admin pages");
      if (!(await hasTable(client, "totp_factors")))
        return skip(id, "there is no table totp_factors yet");
      const { rows } = await client.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM users
         WHERE email = ANY ($1::text[]) AND email_verified_at IS NOT NULL AND disabled_at IS NULL
           AND EXISTS (SELECT FROM totp_factors
             WHERE user_id = users.id AND confirmed_at IS NOT NULL)`,
        [adminEmails],
      );
      const missing = new Set(adminEmails).size - (rows[0]?.count ?? 0);
      // An address is not printed: the report may be kept where others read it.
      const shut = warning(
        `${missing} of the addresses in ADMIN_EMAILS can't use the admin pages: no account, not verified, disabled, or without an authenticator app`,
        "sign up with each, verify it and set up an authenticator app; see docs/admin.md",
      );
      return conclude(id, missing > 0 ? [shut] : [], pass(id, "every admin can get in"));
    },
  };
}
