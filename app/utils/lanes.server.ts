import { acceptFirst } from "~/utils/accept-first.server";
import { AppError } from "~/utils/app-error";
import {
  createLane,
  type Lane,
  type LaneLimits,
  type LaneRefusal,
  type Subject,
} from "~/utils/lane.server";
import { networksOf } from "~/utils/network-address";
import { currentRequest } from "~/utils/request-context.server";
import { securityEvent } from "~/utils/security-event.server";

interface LaneRules extends LaneLimits {
  /** Awaited before each turn. */
  ready?: () => Promise<void>;
  /** `Retry-After` of a refusal, in seconds. */
  retryAfter: number;
  /** The code and text of a refusal for lack of room. */
  full: { code: "busy" | "uploads_busy"; text: string };
}

const BUSY = { code: "busy", text: "The server is busy. Nothing was changed." } as const;

/** Where nobody's share is counted: the lane has a bounded crowd of its own. */
const ALL = Number.POSITIVE_INFINITY;

/**
 * All heavy work of a process. No one kind of it may take the memory, the processor or the turn of
 * another person. `docs/security.md` prints this table, and a test compares the two.
 */
export const LANES = {
  /** A request that no memory of pages and no file serves: a turn of the one thread. */
  requests: {
    slots: 16,
    waiting: 1_500,
    perUser: ALL,
    perNetwork: 300,
    waitSeconds: 15,
    workSeconds: 10,
    retryAfter: 5,
    full: BUSY,
    ready: acceptFirst,
  },
  /**
   * Decoding a picture: up to 10 MB of it, and 200 MB of pixels, on one of libuv's four threads. Their owners'
   * shares count, since no request waits for them.
   */
  pictures: {
    slots: 1,
    waiting: 20,
    perUser: 2,
    perNetwork: ALL,
    waitSeconds: 60,
    workSeconds: 30,
    retryAfter: 60,
    full: BUSY,
  },
  /** Comparing an upload with its record: two or three requests to the store. A user has at most 20 to compare. */
  checks: {
    slots: 10,
    waiting: 120,
    perUser: 20,
    perNetwork: 40,
    waitSeconds: 10,
    workSeconds: 30,
    retryAfter: 5,
    full: BUSY,
  },
  /** The same of an SVG, which is parsed whole: up to 1 MiB, and a third of a second of the one thread. */
  drawings: {
    slots: 2,
    waiting: 130,
    perUser: 20,
    perNetwork: 40,
    waitSeconds: 10,
    workSeconds: 40,
    retryAfter: 5,
    full: BUSY,
  },
  /**
   * Hashing a password: 19 MB and 50 ms of one of libuv's four threads. One stays free for DNS lookups, file
   * reads and compression while a picture takes another.
   */
  passwords: {
    slots: 2,
    waiting: 70,
    perUser: 5,
    perNetwork: 20,
    waitSeconds: 30,
    workSeconds: 60,
    retryAfter: 2,
    full: {
      code: "busy",
      text: "The server is busy with other sign-ins. Nothing was changed.",
    },
  },
  /** Judging a new password: up to 170 ms of the one thread that does it. */
  strength: {
    slots: 1,
    waiting: 40,
    perUser: 3,
    perNetwork: 10,
    waitSeconds: 30,
    workSeconds: 60,
    retryAfter: 2,
    full: {
      code: "busy",
      text: "The server is busy with other sign-ins. Nothing was changed.",
    },
  },
  /** A file on its way through the server: up to 10 MB on the disk. Senders decide how long it takes. */
  uploads: {
    slots: 20,
    waiting: 0,
    perUser: 2,
    perNetwork: 4,
    waitSeconds: 0,
    workSeconds: 150,
    retryAfter: 10,
    full: { code: "uploads_busy", text: "Too many uploads are running. Nothing was stored." },
  },
  /** A JSON or form body after its first 16 KiB: up to 1 MiB in memory. */
  bodies: {
    slots: 64,
    waiting: 0,
    perUser: 4,
    perNetwork: 16,
    waitSeconds: 0,
    workSeconds: 150,
    retryAfter: 5,
    full: BUSY,
  },
} as const satisfies Record<string, LaneRules>;

/**
 * A body keeps its slot if it brings so many bytes on average over each window. An upload of 10 MB needs ten times as
 * many to arrive before its request times out.
 */
export const LEAST_PACE = { bytesPerSecond: 20_000, windowSeconds: 10 };

export type LaneName = keyof typeof LANES;

const lanes = new Map<LaneName, Lane>();

function laneOf(name: LaneName): Lane {
  const found = lanes.get(name);
  if (found) return found;
  const rules: LaneRules = LANES[name];
  const lane = createLane(rules, (reason) => refusal(name, reason), rules.ready);
  lanes.set(name, lane);
  return lane;
}

/**
 * Runs heavy work in its lane, on the account of whoever sent the request unless another subject is
 * given. There is no other way to do such work.
 * @throws AppError 429 rate_limited if the user or the network has its share running already; 503 busy
 * (uploads_busy) if all slots are taken, the wait was too long, or the work took too long. `Retry-After`
 * is set. Nothing was begun, but for work that took too long
 */
export async function inLane<T>(
  name: LaneName,
  work: (signal: AbortSignal) => Promise<T>,
  subject: Subject = sender(),
): Promise<T> {
  return laneOf(name).run(subject, async (signal) => {
    try {
      return await work(signal);
    } catch (error) {
      throw signal.aborted ? refusal(name, "full", error) : error;
    }
  });
}

function sender(): Subject {
  const { userId, address } = currentRequest() ?? {};
  return { userId, networks: address ? networksOf(address) : [] };
}

function refusal(name: LaneName, reason: LaneRefusal, cause?: unknown): AppError {
  const { retryAfter, full }: LaneRules = LANES[name];
  const again = `Try again in ${retryAfter} seconds.`;
  const headers = { "Retry-After": String(retryAfter) };
  if (reason === "full")
    return new AppError({
      code: full.code,
      publicMessage: `${full.text} ${again}`,
      headers,
      cause,
    });
  logRefusal(name);
  return new AppError({
    code: "rate_limited",
    publicMessage: `Too many requests of yours are being worked on. Nothing was changed. ${again}`,
    headers,
  });
}

const QUIET_MS = 60_000;
/** Refusals of each lane since it was quiet for a minute. */
const refusals = new Map<LaneName, { count: number; lastAt: number }>();

/** Logs the 1st, 10th, 100th … of a flood: each has its request's line already. */
function logRefusal(name: LaneName): void {
  const known = refusals.get(name);
  const now = Date.now();
  const count = known && now - known.lastAt < QUIET_MS ? known.count + 1 : 1;
  refusals.set(name, { count, lastAt: now });
  if (!Number.isInteger(Math.log10(count))) return;
  securityEvent("rate_limited", { outcome: "failure", details: { rule: `lane-${name}`, count } });
}
