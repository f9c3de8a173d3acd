import type { ProviderEvent } from "../world/stand-ins";

/** A run that the account asked for, as far as its answers tell. */
export interface KnownRun {
  idempotencyKey: string;
  action: "image" | "text";
  /** Where and with what it was asked for, so that it can be asked again. */
  path: string;
  body: string;
  /** Stands in its prompt, so that the providers' calls tell whose they are. */
  mark: string;
  byKey: boolean;
  /** The fault that was ordered at its provider, if any was. */
  fault: string | null;
  /** Whether it may fail without anybody's fault. */
  mayFail: boolean;
  id: string | null;
  /**
   * `unknown`: the answer was lost. `open`: it goes on. `refused`: nothing was begun, so the same key may begin it.
   */
  outcome: "unknown" | "open" | "charged" | "failed" | "refused";
  charged: number;
  /** Images or tokens that its answer named; null as long as none did. */
  units: number | null;
  /** Why a text ended, as its answer says. */
  finishReason: string | null;
  /** The balance that its answer named, a refusal's too. */
  balance: number | null;
}

export interface Sale {
  sessionId: string;
  pack: number;
  credits: number;
  /** Minor units. */
  paid: number;
  /** The bank charged in another currency than the price's. */
  isAbroad: boolean;
  /** Whether the event that grants was taken by a server. */
  isTold: boolean;
  /** An operator's comparison with the provider may have told it. */
  mayBeTold: boolean;
  /** The account was deleted before it was told: it brings nothing. */
  isLost: boolean;
  /** When the checkout began. */
  at: number;
}

/** A plan that was bought. */
export interface OwnPlan {
  /** The provider's id. */
  id: string;
  sessionId: string;
}

export interface Return {
  id: string;
  of: "refund" | "dispute";
  /** As the provider names it. */
  paymentId: string;
}

export interface Adjustment {
  key: string;
  credits: number;
  outcome: "unknown" | "done" | "refused";
}

/** A row of the ledger, as the API shows it. */
export interface ShownRow {
  id: string;
  amount: number;
  balanceAfter: number;
}

/** One account of the run: what it asked, and what it was told. */
export interface Person {
  name: string;
  email: string;
  userId: string;
  /** Deleted: its ledger stays, and nobody can ask for it. */
  isGone: boolean;
  /** Milliseconds; when it was deleted, if it was. */
  goneAt: number;
  /** Whether an account of this address was deleted before. */
  isBack: boolean;
  cookie: string;
  /** Where it asks from: limits count by it. */
  address: string;
  /** The API key that its programs use. */
  key: { secret: string; name: string; limit: number | null } | null;
  limit: number | null;
  /** All limits so far, each from a time on, and all keys with theirs. */
  limits: { credits: number | null; from: number }[];
  keys: { name: string; limit: number | null }[];
  /** The newest row of its ledger that a response has shown. */
  shown: ShownRow | null;
  /** Spendable credits, by all that the account was told; null until it asks again. */
  known: number | null;
  /** A fault of the machines left something open: numbers are judged at the next pause, when it is settled. */
  isBlurred: boolean;
  runs: KnownRun[];
  sales: Sale[];
  plans: OwnPlan[];
  returns: Return[];
  /** Refunds that failed and disputes that were won at Creem, and that no operator has told yet. */
  untoldEnds: Return[];
  adjustments: Adjustment[];
  /** Minor units of automatic top-ups in a month; 0 as long as none was agreed to. */
  mostPerMonth: number;
  /** Files that were uploaded and confirmed, and those that were deleted. */
  files: string[];
  discarded: string[];
  /** Events that the provider just wanted to send, those kept back, and those that arrived. */
  fresh: ProviderEvent[];
  held: ProviderEvent[];
  arrived: ProviderEvent[];
  /** Ids of those whose effect was seen. */
  applied: Set<string>;
  /** An operator's comparison has told all that is kept back. */
  isCompared: boolean;
  /** The events so far, for people. */
  story: string[];
  /** Steps begun so far; part of every key and prompt. */
  steps: number;
}

export function newPerson(name: string, email: string, address: string): Person {
  return {
    ...{ name, email, address, userId: "", cookie: "", key: null, limit: null },
    ...{ isGone: false, goneAt: 0, isBack: false, mostPerMonth: 0 },
    ...{ shown: null, limits: [], keys: [], files: [], discarded: [] },
    ...{ known: 0, isBlurred: false, runs: [], sales: [], plans: [], returns: [], adjustments: [] },
    ...{
      fresh: [],
      held: [],
      untoldEnds: [],
      arrived: [],
      applied: new Set(),
      isCompared: false,
      story: [],
      steps: 0,
    },
  };
}

/** From now on its numbers aren't known, until it asks. */
export function forget(person: Person): void {
  person.known = null;
}

/** Its numbers are judged at the next pause only. */
export function blur(person: Person): void {
  person.known = null;
  person.isBlurred = true;
}

/** Whether its balance changes by nothing but its own steps: plans and top-ups bring credits at a moment of the service's choice. */
export const isSteady = ({ plans, mostPerMonth }: Person): boolean =>
  plans.length === 0 && mostPerMonth === 0;

export const hasOpenRuns = ({ runs }: Person): boolean =>
  runs.some(({ outcome }) => outcome === "open" || outcome === "unknown");

export const fromEnd = <T>(list: readonly T[], back: number): T | undefined =>
  list.length === 0 ? undefined : list[list.length - 1 - (back % list.length)];
