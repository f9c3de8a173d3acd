import Bowser from "bowser";

/** Names that the library spells out, as people say them. */
const SHORT_NAMES: Record<string, string> = {
  "Microsoft Edge": "Edge",
  "Samsung Internet for Android": "Samsung Internet",
  "Chrome OS": "ChromeOS",
};

const BROWSERS = new Set<string>(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set<string>(Object.values(Bowser.OS_MAP));

/**
 * Returns the browser and the system that a `User-Agent` names, as far as they are known. Only names of
 * the library's own lists are returned: for any other agent it would return a piece of its text.
 */
export function describeUserAgent(userAgent: string | null): {
  browser: string | null;
  system: string | null;
} {
  if (!userAgent) return { browser: null, system: null };
  // Headless browsers of tests and monitors are the browser they are made of.
  const { browser, os } = Bowser.parse(userAgent.replace("HeadlessChrome", "Chrome"));
  return { browser: known(browser.name, BROWSERS), system: known(os.name, SYSTEMS) };
}

function known(name: string | undefined, names: Set<string>): string | null {
  return name !== undefined && names.has(name) ? (SHORT_NAMES[name] ?? name) : null;
}
