import type { Database } from "~/db.server";
import type { PaymentsEnv } from "~/env/payments";
import type { BillingRecords } from "~/services/payments/billing-records.server";
import type { SiteClient } from "./site-client";

/** What every step works with. */
export interface Acceptance {
  site: URL;
  /** The buyer's session, once they are signed up. */
  client: SiteClient;
  db: Database;
  payments: PaymentsEnv;
  /** The active provider's. */
  records: BillingRecords;
  userId: string;
  /** Milliseconds to wait for what a person does in a browser. */
  waitMs: number;
  startedAt: Date;
  /** For the person at the terminal. */
  tell(line: string): void;
}

export type Evidence = Record<string, string | number | boolean | null>;

export interface StepResult {
  id: string;
  status: "pass" | "fail" | "skip";
  message: string;
  evidence: Evidence;
}

/** Makes it fail with what was expected. */
export function demand(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}
