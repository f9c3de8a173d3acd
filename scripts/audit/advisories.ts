import { z } from "zod";

/** A known vulnerability of an installed package. */
export interface Advisory {
  /** For example GHSA-chx6-hx7r-mcp5. */
  id: string;
  package: string;
  severity: string;
  title: string;
}

/** An entry of `via` is an advisory, or the name of a package that has one. */
const viaSchema = z.union([
  z.string(),
  z.object({
    source: z.number(),
    name: z.string(),
    title: z.string(),
    url: z.string(),
    severity: z.enum(["info", "low", "moderate", "high", "critical"]),
  }),
]);

const reportSchema = z.object({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(viaSchema) })),
});

/**
 * Returns every advisory of severity high or critical in a report of `npm audit --json`, without
 * duplicates.
 */
export function listSevereAdvisories(report: unknown): Advisory[] {
  const { vulnerabilities } = reportSchema.parse(report);
  const advisories = new Map<string, Advisory>();
  for (const link of Object.values(vulnerabilities).flatMap(({ via }) => via)) {
    if (typeof link === "string" || !["high", "critical"].includes(link.severity)) continue;
    const id = /GHSA(-\w{4}){3}$/.exec(link.url)?.[0] ?? `npm:${link.source}`;
    const { name, severity, title } = link;
    advisories.set(`${id} ${name}`, { id, package: name, severity, title });
  }
  return [...advisories.values()];
}

export const acceptedSchema = z.array(
  z.strictObject({
    id: z.string().regex(/^(GHSA(-[0-9a-z]{4}){3}|npm:\d+)$/),
    package: z.string().min(1),
    /** Why it does no harm here, and when the exception ends. */
    reason: z.string().min(20),
    /** The exception's last day. */
    reviewBy: z.iso.date(),
  }),
);

export type Accepted = z.output<typeof acceptedSchema>[number];

interface Judgement {
  /** Not accepted: each fails the audit. */
  refused: Advisory[];
  accepted: Accepted[];
  /** Accepted, and no longer found. */
  unused: Accepted[];
}

/** Sorts advisories by whether they are accepted. An entry covers one advisory of one package. */
export function judgeAdvisories(advisories: Advisory[], list: Accepted[]): Judgement {
  const isSame = (entry: Accepted, advisory: Advisory) =>
    entry.id === advisory.id && entry.package === advisory.package;
  const isFound = (entry: Accepted) => advisories.some((advisory) => isSame(entry, advisory));
  return {
    refused: advisories.filter((advisory) => !list.some((entry) => isSame(entry, advisory))),
    accepted: list.filter(isFound),
    unused: list.filter((entry) => !isFound(entry)),
  };
}

/** Entries whose last day has passed. `today` is a UTC date like 2026-11-21. */
export function listExpired(list: Accepted[], today: string): Accepted[] {
  return list.filter(({ reviewBy }) => reviewBy < today);
}
