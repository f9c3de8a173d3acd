type Environment = Record<string, string | undefined>;

const REPLACEMENT = "***";

/**
 * Shorter values are likely words, not secrets: replacing them would make messages unreadable. A short
 * password in a URL is hidden only as a whole word, a longer secret also inside other text.
 */
const SHORTEST_SECRET = 8;
const SECRET_NAME = /(SECRET|TOKEN|PASSWORD|KEY)/;
const PUBLIC_NAME = /^NEXT_PUBLIC_|_KEY_ID$/;

/**
 * Hides credentials: everything between `://` and the last `@` of a URL (a password may hold an
 * unescaped `@` or `/`), and passwords in connection strings and in SQL.
 */
export function redactUrlCredentials(text: string): string {
  return text
    .replace(/:\/\/[^\s"'<>]*@/g, `://${REPLACEMENT}@`)
    .replace(/(password\s*=\s*|password\s+(?='))('[^']*'|"[^"]*"|[^\s&"']+)/gi, `$1${REPLACEMENT}`);
}

/**
 * Makes a text safe for a terminal or a log. Hides credentials in URLs, and all secrets of `environment`
 * (variables named like secrets, and passwords in connection strings), wherever a library put them.
 */
export function redactSecrets(text: string, environment: Environment = process.env): string {
  let redacted = redactUrlCredentials(text);
  for (const secret of secretsOf(environment)) {
    redacted =
      secret.length >= SHORTEST_SECRET
        ? redacted.replaceAll(secret, REPLACEMENT)
        : redacted.replace(wholeWord(secret), REPLACEMENT);
  }
  return redacted;
}

function secretsOf(environment: Environment): string[] {
  const secrets = Object.entries(environment).flatMap(([name, text = ""]) => {
    // Code that reads a variable trims it first.
    const value = text.trim();
    if (value.includes("://")) return urlPasswords(value);
    const isSecret = SECRET_NAME.test(name) && !PUBLIC_NAME.test(name);
    return isSecret && value.length >= SHORTEST_SECRET ? [value] : [];
  });
  const inUrls = secrets.map(encodeOrKeep);
  // Longest first: a secret that contains another must not leave a readable rest.
  return [...new Set([...secrets, ...inUrls])].sort((a, b) => b.length - a.length);
}

/** The password as written and decoded: libraries decode it before they fail. */
function urlPasswords(value: string): string[] {
  const written = /:\/\/([^\s:]*):(\S*)@/.exec(value);
  const user = written?.[1];
  const password = written?.[2];
  // A password equal to its user name (the local default) can't be told apart from that name.
  if (!password || password === user) return [];
  return [password, decodeOrKeep(password)];
}

function encodeOrKeep(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function wholeWord(secret: string): RegExp {
  const escaped = secret.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![A-Za-z0-9])${escaped}(?![A-Za-z0-9])`, "g");
}
