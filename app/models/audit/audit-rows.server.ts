import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { Prisma } from "~/generated/prisma/client";
import { APART, type AuditAction } from "~/models/audit/audit-actions";
import { readById } from "~/models/row-pages.server";

/** A row as operators see it. */
export interface AuditRow {
  id: bigint;
  actor: string;
  action: AuditAction;
  subjectUserId: string | null;
  subject: string | null;
  before: Prisma.JsonValue;
  after: Prisma.JsonValue;
  reason: string | null;
  network: string | null;
  requestId: string | null;
  createdAt: Date;
}

interface Filter {
  /** Only rows about this account. */
  userId: string | null;
  /** Only rows from this time on, and before that one. */
  since: Date | null;
  until: Date | null;
}

/** All rows, oldest first, read a page at a time. */
export function readAuditRows(
  { userId, since, until }: Filter,
  db: DatabaseOrTransaction = getDb(),
): AsyncGenerator<AuditRow> {
  const createdAt = { ...(since ? { gte: since } : {}), ...(until ? { lt: until } : {}) };
  return readById<bigint, AuditRow>(async ({ after, limit }) => {
    const rows = await db.auditRow.findMany({
      where: { id: { gt: after ?? 0n }, createdAt, ...(userId ? { subjectUserId: userId } : {}) },
      orderBy: { id: "asc" },
      take: limit,
    });
    return rows.map((row) => ({ ...row, action: row.action as AuditAction }));
  });
}

/**
 * The newest rows about an account: up to `limit` of what others did, and of each kind that stands apart up to a third as
 * many. Each share is read by itself, so no kind pushes out another.
 */
export async function listAuditRows(
  { userId, limit }: { userId: string; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<AuditRow[]> {
  const newest = (action: Prisma.StringFilter, take: number) =>
    db.auditRow.findMany({
      where: { subjectUserId: userId, action },
      orderBy: { id: "desc" },
      take,
    });
  const rows = await Promise.all([
    newest({ notIn: APART.flat() }, limit),
    ...APART.map((kind) => newest({ in: [...kind] }, Math.ceil(limit / 3))),
  ]);
  return rows
    .flat()
    .sort((one, other) => Number(other.id - one.id))
    .map((row) => ({ ...row, action: row.action as AuditAction }));
}

/** A row as the person concerned sees it: without the operator's name, network and request. */
export interface OwnAuditRow {
  id: string;
  by: "you" | "support";
  action: AuditAction;
  subject: string | null;
  before: Prisma.JsonValue;
  after: Prisma.JsonValue;
  reason: string | null;
  createdAt: Date;
}

/** Turns a row about an account into what its person may see. */
export function asOwnRow(row: AuditRow): OwnAuditRow {
  const { id, actor, subjectUserId, action, subject, before, after, reason, createdAt } = row;
  const by = actor === subjectUserId ? "you" : "support";
  return { id: String(id), by, action, subject, before, after, reason, createdAt };
}
