import { randomBytes, randomUUID } from "node:crypto";

/** A new passkey of a person. */
export const passkeyOf = (userId: string) => ({
  userId,
  credentialId: randomUUID(),
  publicKey: new Uint8Array(randomBytes(32)),
  counter: 0,
  transports: [],
  backedUp: false,
  name: "a key",
});

/** A new identity at a sign-in provider. */
export const identity = () => ({
  provider: "github" as const,
  accountId: randomUUID(),
  verifiedEmail: null,
  name: null,
  label: "somebody",
});
