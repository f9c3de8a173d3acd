import { createHash } from "node:crypto";
import { lintSource } from "@secretlint/core";
import { creator as pattern } from "@secretlint/secretlint-rule-pattern";
import { rules as recommended } from "@secretlint/secretlint-rule-preset-recommend";
import { z } from "zod";

/** Keys of our providers that secretlint's own rules don't know, and our own secrets beside their names. */
const PATTERNS = {
  "Stripe key": /\b[sr]k_(live|test)_[A-Za-z0-9]{16,}/,
  "webhook secret": /\bwhsec_[A-Za-z0-9+/]{24,}/,
  "Creem key": /\bcreem_(test_)?[A-Za-z0-9]{16,}/,
  "fal key": /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9a-f]{32}\b/,
  "Replicate token": /\br8_[A-Za-z0-9]{30,}/,
  "Google client secret": /\bGOCSPX-[\w-]{28}/,
  "Turnstile secret": /\b0x4AAAA[\w-]{28,}/,
  "password in an address": /\b(smtps?|rediss?|amqps?):\/\/[^\s:@/]+:[^\s@/]{8,}@[^\s"'`]+/,
  "secret in a file of variables": /^[A-Z_]+_SECRET=["']?[\w+/=-]{32,}/m,
  // In YAML, a unit of systemd, a shell's export or code.
  "secret beside its name": /\b[A-Z_]+_SECRET["']?\s*[:=]\s*["'`]?[\w+/=]{40,}/,
};

/** By it a comment would switch the search off for the rest of the text, which is many files. A preset can't leave out a rule. */
const COMMENTS = "@secretlint/secretlint-rule-filter-comments";

const CONFIG = {
  rules: [
    ...recommended
      .filter(({ meta }) => meta.id !== COMMENTS)
      .map((rule) => ({ id: rule.meta.id, rule })),
    {
      id: pattern.meta.id,
      rule: pattern,
      options: {
        patterns: Object.entries(PATTERNS).map(([name, { source, flags }]) => ({
          name,
          patterns: [`/${source}/${flags}`],
        })),
      },
    },
  ],
};

export const allowedSchema = z.array(
  z.strictObject({
    /** A regular expression of values that are no secrets. */
    pattern: z.string().min(1).optional(),
    /** Of one value that was a secret, and is void by now. */
    fingerprint: z.string().optional(),
    reason: z.string().min(20),
  }),
);

export type Allowed = z.output<typeof allowedSchema>;

export interface FoundSecret {
  /** Where it stands in the text, which is within its line. */
  offset: number;
  /** Its kind, without the value. */
  what: string;
  fingerprint: string;
}

/**
 * Finds what looks like a key, token or password in a text, except what is allowed. One long text is much
 * quicker than many short ones.
 */
export async function findSecrets(content: string, allowed: Allowed): Promise<FoundSecret[]> {
  const { messages } = await lintSource({
    source: { content, filePath: "text", ext: "", contentType: "text" },
    options: { config: CONFIG, noPhysicFilePath: true },
  });
  return messages.flatMap(({ range: [offset], message }) => {
    // The library's message has the value at its end: some rules give the range of something else.
    const colon = message.indexOf(": ");
    const value = message.slice(colon + 2);
    const fingerprint = createHash("sha256").update(value).digest("hex").slice(0, 16);
    const isAllowed = allowed.some(
      (entry) =>
        entry.fingerprint === fingerprint ||
        (entry.pattern !== undefined && new RegExp(entry.pattern, "i").test(value)),
    );
    return isAllowed ? [] : { offset, what: message.slice(0, colon), fingerprint };
  });
}
