import { createHash, randomBytes } from "node:crypto";
import type { Provider } from "./faults";
import type { Person } from "./people";

/** A code stands for the consent of one person to one client, for one return address. */
export interface Consent {
  provider: Provider;
  clientId: string;
  redirectUri: string;
  codeChallenge: string;
  person: Person;
}

/** The codes and access tokens handed out, as both providers keep them. */
export interface Codes {
  issue(consent: Consent): string;
  /** Returns an access token for a code, once; null for a code that is used, foreign or made up. */
  trade(trade: Omit<Consent, "codeChallenge" | "person"> & Trade): string | null;
  personOf(provider: Provider, accessToken: string): Person | null;
  /** Makes a code unusable, as if it had been traded. */
  use(code: string): void;
}

interface Trade {
  code: string;
  codeVerifier: string;
}

export function createCodes(): Codes {
  const codes = new Map<string, Consent>();
  const tokens = new Map<string, Consent>();
  return {
    issue(consent) {
      const code = randomBytes(20).toString("base64url");
      codes.set(code, consent);
      return code;
    },
    trade({ code, codeVerifier, provider, clientId, redirectUri }) {
      const consent = codes.get(code);
      codes.delete(code);
      const challenge = createHash("sha256").update(codeVerifier).digest("base64url");
      if (
        consent?.provider !== provider ||
        consent.clientId !== clientId ||
        consent.redirectUri !== redirectUri ||
        consent.codeChallenge !== challenge
      )
        return null;
      const accessToken = randomBytes(20).toString("base64url");
      tokens.set(accessToken, consent);
      return accessToken;
    },
    personOf(provider, accessToken) {
      const consent = tokens.get(accessToken);
      return consent?.provider === provider ? consent.person : null;
    },
    use: (code) => void codes.delete(code),
  };
}
