import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import * as mails from "~/models/accounts/account-emails.server";
import { createApiKey } from "~/models/accounts/api-keys.server";
import { changeEmail, requestEmailChange } from "~/models/accounts/change-email.server";
import { spendConfirmLink } from "~/models/accounts/confirm-links.server";
import { verifyEmail } from "~/models/accounts/email-verification.server";
import { removeFactors } from "~/models/accounts/factors.server";
import { linkProvider, unlinkProvider } from "~/models/accounts/oauth-links.server";
import { addPasskey, listPasskeys, removePasskey } from "~/models/accounts/passkeys.server";
import {
  changePassword,
  resetPassword,
  setFirstPassword,
} from "~/models/accounts/passwords.server";
import { spendRecoveryCode } from "~/models/accounts/recovery-codes.server";
import {
  createSession,
  signOutEverybody,
  signOutEverywhere,
} from "~/models/accounts/sessions.server";
import { enterByLink } from "~/models/accounts/sign-in-links.server";
import { disableAccount } from "~/models/accounts/status.server";
import * as totp from "~/models/accounts/totp.server";
import {
  createLinkToken,
  ENTRY_LINKS,
  LINK_PURPOSES,
  type LinkPurpose,
} from "~/models/accounts/verification-tokens.server";
import { FACTOR_CHANGES, type FactorChange } from "~/models/emails/email-kinds";
import { setUpBillingEnv } from "../../helpers/billing";
import { openLedger } from "../../helpers/credits";
import { codeOf } from "../../helpers/factors";
import { identity, passkeyOf } from "../../helpers/ways-in";

setUpBillingEnv({ SMTP_URL: "smtp://localhost:25", EMAIL_FROM: "us@example.com" });
const ledger = openLedger();

interface Person {
  userId: string;
  sessionId: string;
  email: string;
}

type Act = (person: Person) => Promise<unknown>;

async function newPerson({ password = true, verified = true } = {}): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  const { id: userId } = await ledger.db.user.create({
    data: {
      email,
      passwordHash: password ? "a hash" : null,
      emailVerifiedAt: verified ? new Date() : null,
    },
  });
  const session = await createSession({ userId, userAgent: null }, ledger.db);
  if (session.status !== "created") throw new Error(session.status);
  return { userId, email, sessionId: session.sessionId };
}

/** A link of each kind, and a waiting mail of each. */
async function giveLinks({ userId, email, sessionId }: Person): Promise<void> {
  for (const purpose of LINK_PURPOSES) {
    await createLinkToken({ userId, purpose, newEmail: `new-${email}` }, ledger.db);
    const data = JSON.stringify({ newEmail: `new-${email}`, sessionId, redirectTo: null });
    await ledger.db.$executeRaw`
      INSERT INTO outbox_emails (user_id, kind, recipient, locale, data, created_at)
      VALUES (${userId}::uuid, ${purpose}, ${email}, 'en', ${data}::jsonb, now() - interval '1 minute')`;
  }
}

/** The kinds of which neither the link nor the waiting mail of `giveLinks` is left. */
async function endedKinds({ userId }: Person): Promise<LinkPurpose[]> {
  const left = await ledger.db.$queryRaw<{ kind: string; links: number; mails: number }[]>`
    SELECT kind,
      (SELECT count(*)::int FROM verification_tokens
       WHERE user_id = ${userId}::uuid AND purpose = kind AND used_at IS NULL AND expires_at > now())
        AS links,
      (SELECT count(*)::int FROM outbox_emails o
       WHERE user_id = ${userId}::uuid AND o.kind = k.kind AND sent_at IS NULL
         AND created_at < now() - interval '30 seconds') AS mails
    FROM unnest(${[...LINK_PURPOSES]}::text[]) AS k (kind)`;
  for (const { links, mails } of left) expect(mails).toBe(links);
  return LINK_PURPOSES.filter((purpose) => left.find(({ kind }) => kind === purpose)?.links === 0);
}

/** Does `act`, with links of every kind and their mails given right before, and returns the ended kinds. */
async function endedBy(person: Person, act: Act): Promise<LinkPurpose[]> {
  await giveLinks(person);
  await act(person);
  return endedKinds(person);
}

const tokenOf = ({ userId, email }: Person, purpose: LinkPurpose) =>
  createLinkToken({ userId, purpose, newEmail: `new-${email}` }, ledger.db);

/** Turns an app on and returns the recovery codes. */
async function turnOn({ userId, sessionId }: Person): Promise<string[]> {
  await totp.startTotp(userId, ledger.db);
  const state = await totp.getTotpState(userId, ledger.db);
  const code = codeOf(state.status === "setup" ? state.secret : "");
  const on = await totp.turnOnTotp({ userId, sessionId, code }, ledger.db);
  return on.status === "on" ? on.recoveryCodes : [];
}

const freshly = async ({ sessionId }: Person) => {
  await ledger.db.$executeRaw`
    UPDATE sessions SET reauthenticated_at = now() WHERE id = ${sessionId}::uuid`;
};

/** Each change of the sign-in methods: what has to be there before, and the change. */
const CHANGES: Record<FactorChange, { before?: Act; act: Act; password?: boolean }> = {
  totp_added: { act: turnOn },
  totp_removed: { before: turnOn, act: ({ userId }) => totp.turnOffTotp(userId, ledger.db) },
  recovery_codes_made: {
    before: turnOn,
    act: ({ userId }) => totp.makeRecoveryCodes(userId, ledger.db),
  },
  recovery_code_used: {
    before: async (person) => codes.set(person.userId, await turnOn(person)),
    act: async ({ userId }) => {
      const code = codes.get(userId)?.[0] ?? "";
      expect(await spendRecoveryCode({ userId, code }, ledger.db)).toBe(true);
    },
  },
  passkey_added: { act: ({ userId }) => addPasskey(passkeyOf(userId), ledger.db) },
  api_key_made: {
    act: ({ userId }) =>
      createApiKey(
        {
          userId,
          name: "a program",
          scopes: ["read"],
          expiresInDays: null,
          monthlyLimit: null,
          mode: "test",
        },
        ledger.db,
      ),
  },
  passkey_removed: {
    before: ({ userId }) => addPasskey(passkeyOf(userId), ledger.db),
    act: async ({ userId }) => {
      const [key] = await listPasskeys(userId, ledger.db);
      await removePasskey({ userId, passkeyId: key?.id ?? "", enabled: [] }, ledger.db);
    },
  },
  provider_linked: {
    before: freshly,
    act: ({ userId, sessionId }) =>
      linkProvider({ userId, sessionId, identity: identity() }, ledger.db),
  },
  provider_unlinked: {
    before: async (person) => {
      await freshly(person);
      const { userId, sessionId } = person;
      await linkProvider({ userId, sessionId, identity: identity() }, ledger.db);
    },
    act: ({ userId, sessionId }) =>
      unlinkProvider({ userId, sessionId, provider: "github", enabled: ["github"] }, ledger.db),
  },
  password_set: {
    password: false,
    act: ({ userId, sessionId }) =>
      setFirstPassword({ userId, sessionId, passwordHash: "first" }, ledger.db),
  },
};
const codes = new Map<string, string[]>();

test.each(FACTOR_CHANGES)("%s voids the links that let somebody in", async (change) => {
  const { before, act, password = true } = CHANGES[change];
  const person = await newPerson({ password });
  await before?.(person);
  const resets = change === "password_set" ? ["reset_password"] : [];
  expect((await endedBy(person, act)).sort()).toEqual([...ENTRY_LINKS, ...resets].sort());
  // The change was made, or its mail would not be there.
  const { userId } = person;
  const where = { userId, kind: "factor_changed", data: { path: ["change"], equals: change } };
  expect(await ledger.db.outboxEmail.count({ where })).toBe(1);
});

const OTHER_EVENTS: [string, LinkPurpose[], Act][] = [
  [
    "changing the password",
    ["reset_password"],
    ({ userId, sessionId }) =>
      changePassword(
        { userId, sessionId, checkedHash: "a hash", passwordHash: "another" },
        ledger.db,
      ),
  ],
  [
    "the owner's ending of the other sessions",
    [],
    ({ userId, sessionId }) => signOutEverywhere({ userId, except: sessionId }, ledger.db),
  ],
  [
    "the operator's ending of all sessions",
    [],
    ({ userId }) => signOutEverywhere({ userId }, ledger.db),
  ],
  ["the ending of everybody's sessions", [], () => signOutEverybody(ledger.db)],
  ["disabling", [], ({ userId }) => disableAccount(userId, ledger.db)],
  [
    "the operator's removal of factors",
    [],
    async ({ userId }) => {
      await addPasskey(passkeyOf(userId), ledger.db);
      await removeFactors(userId, ledger.db);
    },
  ],
];

test.each(OTHER_EVENTS)("%s voids them, too", async (_, more, act) => {
  const ended = await endedBy(await newPerson(), act);
  expect(ended.sort()).toEqual([...ENTRY_LINKS, ...more].sort());
});

/** Uses a link, and the kinds that end with it beside those that let somebody in. */
const USES: Record<LinkPurpose, { more: readonly LinkPurpose[]; act: Act; verified?: boolean }> = {
  sign_in_link: {
    more: [],
    act: async (person) => enterByLink(await tokenOf(person, "sign_in_link"), ledger.db),
  },
  confirm_identity: {
    more: [],
    act: async ({ userId, sessionId }) => {
      const purpose = "confirm_identity";
      const token = await createLinkToken({ userId, purpose, sessionId }, ledger.db);
      expect(await spendConfirmLink({ token, sessionId }, ledger.db)).toBe("used");
    },
  },
  reset_password: {
    more: ["reset_password"],
    act: async (person) => {
      const token = await tokenOf(person, "reset_password");
      await resetPassword({ token, passwordHash: "another" }, ledger.db);
    },
  },
  verify_email: {
    more: [],
    verified: false,
    act: async (person) => {
      const token = await tokenOf(person, "verify_email");
      await verifyEmail({ token, userId: person.userId }, ledger.db);
    },
  },
  change_email: {
    more: LINK_PURPOSES,
    act: async (person) => {
      const token = await tokenOf(person, "change_email");
      const { userId, sessionId } = person;
      const { status } = await changeEmail({ token, userId, sessionId }, ledger.db);
      expect(status).toBe("changed");
    },
  },
};

test.each(LINK_PURPOSES)("the use of a link of the kind %s voids them", async (purpose) => {
  const { more, act, verified = true } = USES[purpose];
  const ended = await endedBy(await newPerson({ verified }), act);
  expect(ended.sort()).toEqual([...new Set([...ENTRY_LINKS, ...more])].sort());
});

/** Links that verify an address stay: see `email-verification.test.ts`. */
const NEWER: Record<Exclude<LinkPurpose, "verify_email">, Act> = {
  reset_password: ({ email }) => mails.queueResetLink({ email }, ledger.db),
  sign_in_link: ({ userId }) => mails.queueSignInLink({ userId, redirectTo: null }, ledger.db),
  change_email: ({ userId }) =>
    requestEmailChange({ userId, newEmail: `${randomUUID()}@example.com` }, ledger.db),
  confirm_identity: ({ userId, sessionId }) =>
    mails.queueConfirmLink({ userId, sessionId, redirectTo: null }, ledger.db),
};

const RENEWED = LINK_PURPOSES.filter((kind) => kind !== "verify_email");

test.each(RENEWED)("a newer link of the kind %s ends the older one alone", async (kind) => {
  const person = await newPerson();
  expect(await endedBy(person, NEWER[kind])).toEqual([kind]);
  // Of links asked for at once, one is left.
  await Promise.all(Array.from({ length: 4 }, () => NEWER[kind](person)));
  const where = { userId: person.userId, kind };
  expect(await ledger.db.outboxEmail.count({ where })).toBe(1);
});
