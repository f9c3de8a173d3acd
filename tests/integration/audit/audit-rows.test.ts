import { expect, test } from "vitest";
import { AUDIT_ACTIONS, type AuditAction, LOOKS, OWN_ACTIONS } from "~/models/audit/audit-actions";
import { listAuditRows } from "~/models/audit/audit-rows.server";
import { createUser, openLedger } from "../../helpers/credits";

const ledger = openLedger();
const LIMIT = 30;

const ALL = Object.keys(AUDIT_ACTIONS) as AuditAction[];
const isContent = (action: AuditAction) => action === "content_viewed";

/** Rows of one kind must not hide those of another. */
const KINDS: Record<string, AuditAction[]> = {
  "looks at content": ALL.filter(isContent),
  "other looks": LOOKS.filter((action) => !isContent(action)),
  "the person's own acts": [...OWN_ACTIONS],
  "what was done": ALL.filter((action) => ![...LOOKS, ...OWN_ACTIONS].includes(action)),
};

test.each(Object.keys(KINDS))(
  "%s are pushed off the list by no rows of another kind",
  async (kind) => {
    const { db } = ledger;
    const own = KINDS[kind] ?? [];
    expect(own.length).toBeGreaterThan(0);
    const others = ALL.filter((action) => !own.includes(action));
    for (const action of own) {
      const userId = await createUser(db);
      const row = { actor: "operator:test", subjectUserId: userId };
      await db.auditRow.create({ data: { ...row, action } });
      await db.auditRow.createMany({
        data: others.flatMap((other) =>
          Array.from({ length: LIMIT + 1 }, () => ({ ...row, action: other })),
        ),
      });
      const listed = await listAuditRows({ userId, limit: LIMIT }, db);
      expect([action, listed.some((one) => one.action === action)]).toEqual([action, true]);
      expect(listed.length).toBeLessThanOrEqual(2 * LIMIT);
      const ids = listed.map(({ id }) => Number(id));
      expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    }
  },
);
