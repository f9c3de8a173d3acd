import { FAULTS as IMAGE } from "../../../scripts/sandbox/images/faults";
import { FAULTS as TEXT } from "../../../scripts/sandbox/text/faults";

/** Which of the two servers is asked. */
export type Site = 0 | 1;

/** Who asks: a browser's session, or a program's key if the account has one. */
export type Caller = "session" | "key";

/** When the events of what happens at the provider arrive: at once and so often, or some time later. */
export type Arrival = { when: "now"; copies: number; shuffled: boolean } | { when: "later" };

export const AT_ONCE: Arrival = { when: "now", copies: 1, shuffled: false };

/** All faults of the stand-ins that a prompt can order; see docs/sandbox.md. One that a provider doesn't have is none there. */
export const IMAGE_FAULTS = [
  ...new Set([...IMAGE.fal, ...IMAGE.replicate, ...IMAGE.openai]),
  // Verdicts of Creem's check of prompts. Elsewhere nobody checks them, and images are made.
  ...(["deny", "flag"] as const),
];
export const TEXT_FAULTS = TEXT;

type ImageFault = (typeof IMAGE_FAULTS)[number];
type TextFault = (typeof TEXT_FAULTS)[number];

/** With these a run succeeds all the same. */
export const HARMLESS: ReadonlySet<string> = new Set<ImageFault | TextFault>([
  ...(["slow", "surplus", "slow_prediction", "lost_polls", "slow_submit"] as const),
  ...(["one_piece", "no_limit", "old_limit", "usage_much", "usage_little"] as const),
  ...(["usage_none", "usage_zero", "usage_absurd"] as const),
]);

/** These end with the run's own time, which is more than half a minute. */
export const ENDLESS: ReadonlySet<string> = new Set<ImageFault | TextFault>([
  ...(["hang", "hanging_poll", "stall"] as const),
]);

/** Not the stand-in's fault: the request is so long on its way that all has been left and time has passed. */
export const LATE = "late";

/** Cards of the stand-in: one that works, a declined one, one without funds, one whose bank wants its owner. */
export const CARDS = ["4242", "0341", "9995", "3184"] as const;

/** Promotion codes that the stand-in takes. */
type Code = "HALF" | "FREE";

/** Currencies in which a bank charges, and how many of their minor units a hundred of the catalog's cost there. */
export const CURRENCIES = { eur: 91, jpy: 153 } as const;

/** How a run is asked for. `crowd`: so many different runs at once; `copies`: so many times the same. */
interface RunWay {
  at: Site;
  by: Caller;
  copies: number;
  crowd: number;
  way: "whole" | "async";
}

/**
 * One step of an account. Plain data: a history is a list of these, is printed as such, and is made shorter by leaving
 * some out. `back` counts from the newest of what the account has by then.
 */
export type Operation =
  | { do: "credits"; at: Site; by: Caller }
  | { do: "runs"; at: Site; by: Caller }
  | { do: "run"; back: number; at: Site; by: Caller }
  | { do: "estimate"; images: number; at: Site; by: Caller }
  | { do: "page"; page: "overview" | "credits" | "csv"; at: Site }
  | ({ do: "image"; images: number; fault: ImageFault | null } & RunWay)
  | ({
      do: "text";
      tokens: number;
      most: number | null;
      fault: TextFault | typeof LATE | null;
    } & RunWay)
  /** A text as a stream; the reader leaves after so many bytes. */
  | {
      do: "stream";
      tokens: number;
      leaveAfter: number | null;
      fault: TextFault | null;
      at: Site;
      by: Caller;
    }
  /** An earlier run's request again; `changed`: with another body. */
  | { do: "again"; back: number; changed: boolean; at: Site }
  /** `currency`: the buyer is charged in another one, for an amount of the bank's choice. */
  | {
      do: "buy";
      pack: number;
      code: Code | null;
      currency: keyof typeof CURRENCIES | null;
      arrival: Arrival;
      at: Site;
    }
  | {
      do: "return";
      of: "refund" | "dispute";
      back: number;
      tenths: number;
      arrival: Arrival;
      at: Site;
    }
  /** A refund fails or succeeds at last; a dispute is won or lost. */
  | { do: "settle"; back: number; well: boolean; arrival: Arrival; at: Site }
  | {
      do: "subscribe";
      plan: number;
      period: "month" | "year";
      code: Code | null;
      arrival: Arrival;
      at: Site;
    }
  /** The next period of each plan whose period is over begins, and is paid unless it `fails`; one that was cancelled ends. */
  | { do: "renew"; fails: boolean; arrival: Arrival; at: Site }
  /** Payments that failed are made. */
  | { do: "collect"; arrival: Arrival; at: Site }
  /** Another plan of the same length: a dearer one at once, a smaller one at the period's end. */
  | { do: "change"; plan: number; arrival: Arrival; at: Site }
  | { do: "cancel"; arrival: Arrival; at: Site }
  | { do: "resume"; arrival: Arrival; at: Site }
  /** The customer ends the plan with its period in the provider's portal, or keeps it after all. */
  | { do: "portal"; what: "end" | "keep"; arrival: Arrival; at: Site }
  /** The last payment of the plan goes back. */
  | {
      do: "plan return";
      of: "refund" | "dispute";
      tenths: number;
      arrival: Arrival;
      at: Site;
    }
  /** Events that were kept back arrive, shuffled by the number. */
  | { do: "late"; order: number; copies: number; at: Site }
  /** Events that arrived already arrive again. */
  | { do: "redeliver"; back: number; copies: number; at: Site }
  /** A card is kept for top-ups below the mark, of so many packs in a month at most. */
  | {
      do: "top up";
      mark: number;
      packs: number;
      card: (typeof CARDS)[number];
      arrival: Arrival;
      at: Site;
    }
  | { do: "upload"; at: Site }
  | { do: "discard"; back: number; at: Site }
  /** So many credits a month, or so many more than were used until now. */
  | { do: "limit"; credits: number | null; more: boolean; at: Site }
  | { do: "key"; limit: number | null; at: Site }
  | { do: "revoke"; at: Site }
  | { do: "adjust"; credits: number }
  /** An operator has the account's stored numbers repaired, and none is wrong. */
  | { do: "repair" }
  /**
   * So many operators at once compare with the payment provider, and repair: this account, or the whole shop. After
   * `meanwhile` milliseconds what was kept back arrives, too.
   */
  | {
      do: "reconcile";
      whose: "own" | "all";
      copies: number;
      meanwhile: number | null;
      at: Site;
    }
  /** So many operators at once have a delivery tried again: one that was applied, or one that was kept back and fails first. */
  | { do: "replay"; what: "applied" | "failed"; back: number; copies: number; at: Site }
  /** An operator has all jobs that failed, or all emails that wait, tried again. */
  | { do: "retry"; what: "jobs" | "emails" }
  | { do: "maintain"; job: "maintenance" | "subscription-credits"; at: Site }
  /** The account is deleted, and its owner signs up anew with the same address. */
  | { do: "delete"; at: Site }
  /** Somebody without the right to ask. */
  | { do: "stranger"; what: "credits" | "unsigned" | "forged" | "stale" | "cron"; at: Site };

/** An account's steps, part by part; between two parts the run pauses and time passes. */
export interface Life {
  name: string;
  parts: Operation[][];
}

/** Between the servers and the stand-ins. */
export const ROADS = ["payments", "images", "texts", "storage", "mail"] as const;

/** Faults of the machines after so many operations of a part. */
export type Disaster =
  | { after: number; do: "kill"; target: 0 | 1 | "worker" }
  | { after: number; do: "terminate"; share: number }
  | { after: number; do: "stop database"; seconds: number }
  | {
      after: number;
      do: "weather";
      road: (typeof ROADS)[number];
      weather: "cut" | "slow" | "half" | "away";
      seconds: number;
    }
  /** The store takes nothing. */
  | { after: number; do: "fill storage"; seconds: number };

/** Some accounts that live together, and all that happens meanwhile. The unit that is made again and made shorter. */
export interface Cycle {
  lives: Life[];
  disasters: Disaster[][];
  /** Hours that pass after each part. */
  hours: number[];
}
