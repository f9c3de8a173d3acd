import type { Database } from "~/db.server";
import type { PaymentsEnv } from "~/env/payments";
import type { BillingRecords } from "~/services/payments/billing-records.server";
import type { SiteClient } from "./site-client";

/** Shared by all steps. */
export interface Acceptance {
  site: URL;
  /** The buyer's session, after sign-up. */
  client: SiteClient;
  db: Database;
  payments: PaymentsEnv;
  /** Of the active provider. */
  records: BillingRecords;
  userId: string;
  /** Milliseconds to wait for a person's action in the browser. */
  waitMs: number;
  startedAt: Date;
  /** Prints a line for the person at the terminal. */
  tell(line: string): void;
}

export type Evidence = Record<string, string | number | boolean | null>;

export interface StepResult {
  id: string;
  status: "pass" | "fail" | "skip";
  message: string;
  evidence: Evidence;
}

/** Fails the step with the expectation that wasn't met. */
export function demand(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}
