import type { Person } from "../act/person";
import type { Sold } from "../act/stage";
import type { Money } from "./money";
import type { StoredAccount } from "./read-account";

/** Judges one account by docs/rules.md, from all that was paid, asked and responded. */
export interface Evidence {
  person: Person;
  stored: StoredAccount;
  money: Money;
  sold: Sold;
  provider: string;
  now: Date;
}
