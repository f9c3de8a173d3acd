import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { PRODUCT_NAME } from "~/catalog";
import { getEnv } from "~/env.server";
import { withoutStatement } from "~/services/auth/attestation-statement.server";
import type { Assertion, Attestation } from "~/services/auth/passkey-response";

/** How long the browser waits for the person, in milliseconds: as long as the challenge lives. */
const TIMEOUT = 5 * 60_000;

interface Credential {
  credentialId: string;
  transports: string[];
}

/** A passkey belongs to the site's host, and is only given to pages of the site's own origin. */
function relyingParty() {
  const { siteUrl } = getEnv();
  return { rpID: siteUrl.hostname, origin: siteUrl.origin };
}

/** The account's id as its authenticators keep it: 16 bytes that say nothing about the person. */
function userHandle(userId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(userId.replaceAll("-", ""), "hex"));
}

const challengeBytes = (challenge: string) => new Uint8Array(Buffer.from(challenge, "base64url"));

const withIds = (credentials: Credential[]) =>
  credentials.map(({ credentialId, transports }) => ({ id: credentialId, transports }));

/** Options for a browser to make a passkey that is found without a name and unlocked by its owner. */
export function registrationOptions(account: {
  challenge: string;
  userId: string;
  email: string;
  existing: Credential[];
}) {
  const { challenge, userId, email, existing } = account;
  return generateRegistrationOptions({
    rpName: PRODUCT_NAME,
    rpID: relyingParty().rpID,
    userName: email,
    userID: userHandle(userId),
    challenge: challengeBytes(challenge),
    timeout: TIMEOUT,
    attestationType: "none",
    excludeCredentials: withIds(existing),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** Options for a browser to ask for a signature: of these passkeys, or of any of this site's. */
export function assertionOptions({
  challenge,
  allowed,
}: {
  challenge: string;
  allowed?: Credential[];
}) {
  return generateAuthenticationOptions({
    rpID: relyingParty().rpID,
    challenge: challengeBytes(challenge),
    timeout: TIMEOUT,
    userVerification: "required",
    ...(allowed ? { allowCredentials: withIds(allowed) } : {}),
  });
}

/** The challenge that a response claims to meet; null if it names none. */
export function challengeOf({ response }: Assertion | Attestation): string | null {
  try {
    const data: unknown = JSON.parse(
      Buffer.from(response.clientDataJSON, "base64url").toString("utf8"),
    );
    const claimed = data && typeof data === "object" && "challenge" in data ? data.challenge : null;
    return typeof claimed === "string" ? claimed : null;
  } catch {
    return null;
  }
}

/**
 * The new passkey, or null if the response isn't for this challenge, origin and host. The response's
 * attestation, which would name the device's maker, is never looked at.
 */
export async function verifyAttestation(attestation: Attestation, challenge: string) {
  const response = withoutStatement(attestation);
  if (!response) return null;
  const { rpID, origin } = relyingParty();
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    // The library throws for every mismatch.
  }).catch(() => null);
  if (!result?.verified) return null;
  const { credential, credentialBackedUp } = result.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: new Uint8Array(credential.publicKey),
    counter: credential.counter,
    transports: attestation.response.transports,
    backedUp: credentialBackedUp,
  };
}

/**
 * The signature's counter, or null if the response isn't this passkey's for this challenge, origin and
 * host, with its person checked by the device. The caller compares the counter with the stored one.
 */
export async function verifyAssertion(
  assertion: Assertion,
  {
    challenge,
    publicKey,
    userId,
  }: {
    challenge: string;
    publicKey: Uint8Array<ArrayBuffer>;
    userId: string;
  },
): Promise<{ counter: number; backedUp: boolean } | null> {
  const { rpID, origin } = relyingParty();
  const handle = assertion.response.userHandle;
  if (handle && handle !== Buffer.from(userHandle(userId)).toString("base64url")) return null;
  const result = await verifyAuthenticationResponse({
    response: assertion,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    // With 0 the library compares no counters: the conditional write that stores the new one does.
    credential: { id: assertion.id, publicKey, counter: 0 },
  }).catch(() => null);
  if (!result?.verified) return null;
  const { newCounter, credentialBackedUp } = result.authenticationInfo;
  return { counter: newCounter, backedUp: credentialBackedUp };
}
