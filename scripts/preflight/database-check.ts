import type pg from "pg";
import type { Check } from "./check";
import type { CheckId } from "./check-ids";

/** A check that reads the database. An error it throws becomes a failure with its own id. */
export interface DatabaseCheck {
  id: CheckId;
  run(client: pg.Client): Promise<Check>;
}
