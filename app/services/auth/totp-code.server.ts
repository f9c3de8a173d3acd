import { generateSecret, generateURI, verifySync } from "otplib";

/** RFC 6238 with the values that every authenticator app assumes: SHA-1, 6 digits, 30 seconds. */
const STEP_SECONDS = 30;
const CODE = /^\d{6}$/;

/** A new secret of 160 random bits, in base32. */
export function createTotpSecret(): string {
  return generateSecret({ length: 20 });
}

/** The address that a QR code carries to the app. */
export function totpUri({
  secret,
  issuer,
  account,
}: {
  secret: string;
  issuer: string;
  account: string;
}): string {
  return generateURI({ secret, issuer, label: account });
}

/** Removes the spaces that people type into codes. */
function withoutSpaces(code: string): string {
  return code.replace(/\s/g, "");
}

/** Whether a text has the form of an app's code. Recovery codes have another. */
export function isTotpCode(code: string): boolean {
  return CODE.test(withoutSpaces(code));
}

/**
 * The time step whose code this is: the present one, the one before, or the one after, since clocks
 * differ. Null for a wrong code.
 */
export function findCodeStep({
  secret,
  code,
  epochSeconds,
}: {
  secret: string;
  code: string;
  epochSeconds: number;
}): number | null {
  if (!isTotpCode(code)) return null;
  const result = verifySync({
    secret,
    token: withoutSpaces(code),
    epoch: Math.floor(epochSeconds),
    epochTolerance: STEP_SECONDS,
  });
  return result.valid && "timeStep" in result ? result.timeStep : null;
}
