import type { Person } from "../act/person";
import type { Sold } from "../act/stage";
import type { Money } from "./money";
import type { StoredAccount } from "./read-account";

/** All that is known of one account: what was paid, asked and responded, and its rows. */
export interface Evidence {
  person: Person;
  stored: StoredAccount;
  money: Money;
  sold: Sold;
  provider: string;
  now: Date;
}
