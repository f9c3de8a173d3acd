import { randomBytes } from "node:crypto";

/** The form and host that a token was made for. */
interface Made {
  action: string;
  hostname: string;
}

export interface Tokens {
  issue(made: Made): string;
  /** Uses up a token. A repeat with the first one's idempotency key gets the same response. */
  use(token: string, idempotencyKey: string | undefined): Made | "unknown" | "used_before";
}

/** Keeps the tokens that the stand-in has issued. */
export function createTokens(): Tokens {
  const issued = new Map<string, Made & { usedBy?: string }>();
  return {
    issue(made) {
      const token = `sandbox-${randomBytes(24).toString("base64url")}`;
      issued.set(token, { ...made });
      return token;
    },
    use(token, idempotencyKey = randomBytes(8).toString("hex")) {
      const known = issued.get(token);
      if (!known) return "unknown";
      if (known.usedBy !== undefined && known.usedBy !== idempotencyKey) return "used_before";
      known.usedBy = idempotencyKey;
      return { action: known.action, hostname: known.hostname };
    },
  };
}
