import { z } from "zod";
import {
  type ChallengePurpose,
  createChallenge,
  spendChallenge,
} from "~/models/accounts/auth-challenges.server";
import {
  addPasskey,
  findPasskey,
  listCredentials,
  notePasskeyUse,
} from "~/models/accounts/passkeys.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import {
  assertionOptions,
  challengeOf,
  registrationOptions,
  verifyAssertion,
  verifyAttestation,
} from "~/services/auth/passkey-ceremony.server";
import {
  type Assertion,
  type Attestation,
  assertionSchema,
  attestationSchema,
} from "~/services/auth/passkey-response";
import { AppError } from "~/utils/app-error";
import { describeUserAgent } from "~/utils/describe-user-agent.server";
import { securityEvent } from "~/utils/security-event.server";
import type { SecurityEventName } from "~/utils/security-events";

/** Options to sign in with any passkey of this site. */
export async function signInOptions() {
  return assertionOptions({ challenge: await createChallenge({ purpose: "passkey_sign_in" }) });
}

/** Options to give one of the signed-in user's passkeys again. */
export async function confirmOptions({ id: userId, sessionId }: SessionUser) {
  const allowed = await listCredentials(userId);
  const challenge = await createChallenge({
    purpose: "passkey_confirm",
    userId,
    data: { sessionId },
  });
  return assertionOptions({ challenge, allowed });
}

/** Options to make a new passkey, on a device that has none of the user's. */
export async function registerOptions({ id: userId, email, sessionId }: SessionUser) {
  const existing = await listCredentials(userId);
  const challenge = await createChallenge({
    purpose: "passkey_register",
    userId,
    data: { sessionId },
  });
  return registrationOptions({ challenge, userId, email, existing });
}

/**
 * Checks a passkey's response at sign-in and returns whose passkey it is. The challenge is used up
 * first, so that no response counts twice.
 * @throws AppError 400 passkey_refused
 */
export async function checkSignInPasskey(text: string): Promise<{ userId: string }> {
  const assertion = parseResponse(text, assertionSchema, "sign_in");
  const challenge = await takeChallenge(assertion, { purpose: "passkey_sign_in", user: null });
  if (!challenge) throw refused("sign_in", "wrong_challenge");
  return { userId: await checkAssertion(assertion, { challenge, event: "sign_in" }) };
}

/** Likewise for a signed-in user's own passkey. @throws AppError 400 passkey_refused */
export async function checkOwnPasskey(text: string, user: SessionUser): Promise<void> {
  const event = "identity_check";
  const assertion = parseResponse(text, assertionSchema, event);
  const challenge = await takeChallenge(assertion, { purpose: "passkey_confirm", user });
  if (!challenge) throw refused(event, "wrong_challenge", user.id);
  await checkAssertion(assertion, { challenge, event, ownerId: user.id });
}

/**
 * Adds the passkey that the user's browser made, named after the device.
 * @throws AppError 400 passkey_refused, 409 too_many_passkeys
 */
export async function registerPasskey(
  text: string,
  {
    user,
    userAgent,
    fallbackName,
  }: {
    user: SessionUser;
    userAgent: string | null;
    fallbackName: string;
  },
): Promise<void> {
  const event = "factor_changed";
  const attestation = parseResponse(text, attestationSchema, event);
  const challenge = await takeChallenge(attestation, { purpose: "passkey_register", user });
  if (!challenge) throw refused(event, "wrong_challenge", user.id);
  const passkey = await verifyAttestation(attestation, challenge);
  if (!passkey) throw refused(event, "not_verified", user.id);
  const { browser, system } = describeUserAgent(userAgent);
  const name = [browser, system].filter(Boolean).join(", ") || fallbackName;
  const { status } = await addPasskey({ ...passkey, userId: user.id, name });
  if (status === "too_many")
    throw new AppError({
      code: "too_many_passkeys",
      publicMessage: "You can have up to 20 passkeys, so nothing was added. Remove one first.",
    });
  if (status === "known_already") throw refused(event, "known_already", user.id);
  securityEvent(event, {
    outcome: "success",
    userId: user.id,
    details: { change: "passkey_added" },
  });
}

function parseResponse<Output>(
  text: string,
  schema: z.ZodType<Output>,
  event: SecurityEventName,
): Output {
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw refused(event, "malformed");
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const ownSchema = z.object({ sessionId: z.string() });

/** Uses up the response's challenge and returns it; null unless it was made for this purpose and session. */
async function takeChallenge(
  response: Assertion | Attestation,
  { purpose, user }: { purpose: ChallengePurpose; user: SessionUser | null },
): Promise<string | null> {
  const token = challengeOf(response);
  const challenge = token ? await spendChallenge({ purpose, token }) : null;
  if (!token || !challenge) return null;
  if (!user) return token;
  const sessionId = ownSchema.safeParse(challenge.data).data?.sessionId;
  return challenge.userId === user.id && sessionId === user.sessionId ? token : null;
}

/** Checks the signature, notes the passkey's use and returns its owner. */
async function checkAssertion(
  assertion: Assertion,
  { challenge, event, ownerId }: { challenge: string; event: SecurityEventName; ownerId?: string },
): Promise<string> {
  const passkey = await findPasskey(assertion.id);
  if (!passkey || (ownerId && passkey.userId !== ownerId))
    throw refused(event, "unknown_passkey", ownerId);
  const { id, userId, publicKey } = passkey;
  const signed = await verifyAssertion(assertion, { challenge, publicKey, userId });
  if (!signed) throw refused(event, "not_verified", userId);
  // A copied authenticator counts on from an earlier signature.
  if (!(await notePasskeyUse({ id, ...signed }))) throw refused(event, "counter_back", userId);
  return userId;
}

/** Every refusal looks the same to the browser; the log says why. */
function refused(event: SecurityEventName, why: string, userId?: string): AppError {
  securityEvent(event, { outcome: "failure", userId, reason: `passkey_${why}` });
  return new AppError({
    code: "passkey_refused",
    publicMessage: "We couldn't accept this passkey. Nothing was changed. Try again.",
  });
}
