import { compareVersions, parseVersion } from "./version";

export interface Release {
  version: string;
  /** As written: 2026-11-21. */
  date: string;
  /** Line of its heading, from 1. */
  line: number;
}

export interface Changelog {
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
  for (const { title, line, body } of sectionsOf(lines)) {
    faults.push(...kindFaults(body, line));
    if (title === "## [Unreleased]") {
      if (releases.length > 0) faults.push(`line ${line}: Unreleased stands above every release`);
      continue;
    }
    const [, version, date] = RELEASE.exec(title) ?? [];
    if (version === undefined || date === undefined || !parseVersion(version) || !isDate(date)) {
      faults.push(`line ${line}: write it like \`## [1.4.0] - 2026-11-21\``);
      continue;
    }
    releases.push({ version, date, line });
  }
  return { releases, faults: [...faults, ...orderFaults(releases)] };
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
