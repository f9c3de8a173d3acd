import { compareVersions, parseVersion } from "./version";

export interface Release {
  version: string;
  /** As written: 2026-11-21. */
  date: string;
  /** Line of its heading, from 1. */
  line: number;
  /** The text below the heading, trimmed. */
  text: string;
}

export interface Changelog {
  /** The text below `## [Unreleased]`; may be empty. */
  unreleased: string;
  /** Newest first, as in the file. */
  releases: Release[];
  /** Deviations from the format of keepachangelog.com: `line 12: …`. */
  faults: string[];
}

const RELEASE = /^## \[([^\]]+)\] - (\S+)( \[YANKED\])?$/;
const KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];

export function parseChangelog(text: string): Changelog {
  const lines = text.split("\n");
  const faults: string[] = [];
  if (lines[0] !== "# Changelog") faults.push("line 1: it must be `# Changelog`");
  const releases: Release[] = [];
  let unreleased = "";
  for (const { title, line, body } of sectionsOf(lines)) {
    faults.push(...kindFaults(body, line));
    if (title === "## [Unreleased]") {
      unreleased = body.join("\n").trim();
      if (releases.length > 0) faults.push(`line ${line}: Unreleased stands above every release`);
      continue;
    }
    const [, version, date] = RELEASE.exec(title) ?? [];
    if (version === undefined || date === undefined || !parseVersion(version) || !isDate(date)) {
      faults.push(`line ${line}: write it like \`## [1.4.0] - 2026-11-21\``);
      continue;
    }
    releases.push({ version, date, line, text: body.join("\n").trim() });
  }
  return { unreleased, releases, faults: [...faults, ...orderFaults(releases)] };
}

/** Returns the releases that an upgrade passes, oldest first: after `from`, up to and including `to`. */
export function releasesCrossed({ releases }: Changelog, from: string, to: string): Release[] {
  return releases
    .filter(
      ({ version }) => compareVersions(version, from) > 0 && compareVersions(version, to) <= 0,
    )
    .toSorted((a, b) => compareVersions(a.version, b.version));
}

function sectionsOf(lines: string[]) {
  const starts = [...lines.keys()].filter((at) => lines[at]?.startsWith("## "));
  return starts.map((start, index) => ({
    title: lines[start] ?? "",
    line: start + 1,
    body: lines.slice(start + 1, starts[index + 1]),
  }));
}

function kindFaults(body: string[], heading: number): string[] {
  return [...body.entries()].flatMap(([at, text]) => {
    const kind = /^### (.*)$/.exec(text)?.[1];
    if (kind === undefined || KINDS.includes(kind)) return [];
    return [`line ${heading + at + 1}: '${kind}' is not one of ${KINDS.join(", ")}`];
  });
}

function orderFaults(releases: Release[]): string[] {
  return releases.flatMap(({ version, date, line }, at) => {
    const newer = releases[at - 1];
    if (!newer) return [];
    const isOrdered = compareVersions(newer.version, version) > 0 && newer.date >= date;
    return isOrdered
      ? []
      : [`line ${line}: ${version} is not older than ${newer.version} above it`];
  });
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}
