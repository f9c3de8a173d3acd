import type { DatabaseOrTransaction } from "~/db.server";
import { listCursorFaults } from "~/models/billing/ledger-rules/cursor-faults.server";
import { listOrderFaults } from "~/models/billing/ledger-rules/order-faults.server";
import { listPeriodFaults } from "~/models/billing/ledger-rules/period-faults.server";
import { listReturnFaults } from "~/models/billing/ledger-rules/return-faults.server";
import type { LedgerFault, RuleSet } from "~/models/credits/rule-set";

/** The rules by which orders, paid periods and returns are compared with the ledger. */
export const billingRules: RuleSet = {
  owners: ["orders.user_id", "subscriptions.user_id"],
  listFaults,
};

async function listFaults(userIds: string[], db: DatabaseOrTransaction): Promise<LedgerFault[]> {
  return [
    ...(await listOrderFaults(userIds, db)),
    ...(await listPeriodFaults(userIds, db)),
    ...(await listReturnFaults(userIds, db)),
    ...(await listCursorFaults(userIds, db)),
  ];
}
