const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?$/;

export interface Version {
  major: number;
  /** Major, minor, patch. */
  numbers: number[];
  /** The parts after the hyphen; empty for a release. */
  prerelease: string[];
}

/** Returns null if the text isn't a semantic version (build metadata isn't supported). */
export function parseVersion(text: string): Version | null {
  const [, major, minor, patch, prerelease] = VERSION.exec(text) ?? [];
  if (major === undefined) return null;
  const numbers = [major, minor, patch].map(Number);
  return { major: Number(major), numbers, prerelease: prerelease?.split(".") ?? [] };
}

/** Throws if the text isn't a semantic version. */
function requireVersion(text: string): Version {
  const version = parseVersion(text);
  if (!version) throw new Error(`'${text}' is not a version: write it like 1.4.0`);
  return version;
}

/** Returns a negative number if `a` is older, by the precedence rules of semver.org. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [requireVersion(a), requireVersion(b)];
  for (const [at, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(left.prerelease, right.prerelease);
}

function comparePrereleases(left: string[], right: string[]): number {
  // 1.0.0-alpha comes before 1.0.0.
  if (left.length === 0 || right.length === 0) return right.length - left.length;
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [a, b] = [left[at], right[at]];
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
    if (a !== b) return comparePart(a, b);
  }
  return 0;
}

function comparePart(a: string, b: string): number {
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return Number(a) - Number(b);
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a < b ? -1 : 1;
}
