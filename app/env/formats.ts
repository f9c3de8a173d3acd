import { z } from "zod";
import { withoutTrailingSlashes } from "~/utils/trailing-slashes";

const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host can only be this machine. Sandbox keys and a plain-http site are allowed there. */
export function isLocalHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  return name === "localhost" || name.endsWith(".localhost") || LOOPBACK.test(name);
}

/**
 * Parses a variable's text. `read` returns undefined for malformed text. `problem` completes the
 * sentence "<NAME> …" and never repeats the text, which may be a secret. `unset` completes the same
 * sentence when a required variable is missing.
 */
export function format<T>(
  read: (text: string) => T | undefined,
  problem: string | ((text: string) => string),
  unset = "is not set",
) {
  return z.string(unset).transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue(typeof problem === "string" ? problem : problem(text));
    return z.NEVER;
  });
}

export function matching(
  pattern: RegExp,
  problem: string | ((text: string) => string),
  unset?: string,
) {
  return format((text) => (pattern.test(text) ? text : undefined), problem, unset);
}

/** Whole numbers are limited to what a 32-bit column and an SQL interval can hold. */
export function integer(min: number, max = 2 ** 31 - 1) {
  return format((text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  }, `is not a whole number from ${min} to ${max}: write digits only`);
}

export function positiveNumber() {
  return format((text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    return value > 0 && Number.isFinite(value) ? value : undefined;
  }, "is not a number above 0: write it like 1 or 0.5");
}

/** One of the given spellings, case-insensitive; `choices` maps each to its value. */
export function choice<T>(choices: Record<string, T>) {
  const meanings = new Map(
    Object.entries(choices).map(([spelling, meaning]) => [spelling.toLowerCase(), meaning]),
  );
  const spellings = Object.keys(choices).join(", ");
  return format((text) => meanings.get(text.toLowerCase()), `must be one of ${spellings}`);
}

export function flag() {
  return choice({ true: true, false: false, 1: true, 0: false });
}

/** A credential sent in an HTTP header, which cannot hold spaces or control characters. */
export function credential(prefixes: string[] = [], whatItIs = "") {
  const spaceless = /^[\x21-\x7e]+$/;
  return format(
    (text) => {
      const begins = prefixes.length === 0 || prefixes.some((prefix) => text.startsWith(prefix));
      return begins && spaceless.test(text) ? text : undefined;
    },
    (text) =>
      spaceless.test(text)
        ? `must start with ${prefixes.join(" or ")}: copy ${whatItIs} here`
        : "contains a space or a character outside ASCII: copy it again, without quotes",
  );
}

function parseUrl(text: string, protocols: string[]): URL | undefined {
  // The URL parser silently drops line breaks and tabs, so they are refused here.
  const scheme = /^([a-z]+):\/\/\S+$/i.exec(text)?.[1]?.toLowerCase();
  return scheme !== undefined && protocols.includes(scheme) && URL.canParse(text)
    ? new URL(text)
    : undefined;
}

/** An http(s) URL without user, query or fragment. */
function parseWebUrl(text: string): URL | undefined {
  const url = parseUrl(text, ["http", "https"]);
  return url && !url.username && !url.password && !url.search && !url.hash ? url : undefined;
}

/** The URL of a server with its own protocol, kept as written. */
export function connectionUrl(protocols: string[], unset?: string) {
  const schemes = protocols.map((protocol) => `${protocol}://`).join(" or ");
  return format(
    (text) => (parseUrl(text, protocols) ? text : undefined),
    `is not a URL that starts with ${schemes}: percent-encode special characters in its password, and write no quotes`,
    unset,
  );
}

/** The site's URL: only its origin is used, so anything more is a mistake. */
export function siteOrigin() {
  return format(
    (text) => {
      const url = parseWebUrl(text);
      return url?.pathname === "/" ? new URL(url.origin) : undefined;
    },
    "is not an address like https://example.com: write http(s), host and port only, no path or query",
    "is not set: write the address people open, like https://example.com",
  );
}

/** A base URL whose path always ends in a slash, so that `new URL(key, base)` keeps the whole path. */
export function baseUrl() {
  return format((text) => {
    const url = parseWebUrl(text);
    if (url) url.pathname = `${withoutTrailingSlashes(url.pathname)}/`;
    return url;
  }, "is not an http(s) URL: write it like https://files.example.com, no user, query or fragment");
}

/** An API's origin and path without a trailing slash; callers append `/v1/…`. */
export function apiBase() {
  return format((text) => {
    const url = parseWebUrl(text);
    const path = withoutTrailingSlashes(url?.pathname ?? "");
    return url && url.origin + withoutTrailingSlashes(path.replace(/\/v1$/, ""));
  }, "is not an http(s) URL: write an origin with an optional path, like https://api.example.com");
}
