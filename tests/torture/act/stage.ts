import { setTimeout as pause } from "node:timers/promises";
import type { Made } from "../made";
import type { Site } from "../plan/operations";
import type { Row } from "../world/database";
import { type Call, type Reply, send } from "../world/http";
import type { Mail } from "../world/stand-ins";
import type { World } from "../world/world";
import { codeOf, NOT_NOW } from "./answers";
import { Fault } from "./fault";
import type { Person } from "./person";

/** The goods on sale, as the run reads them from the catalog: the judge believes no other number. */
export interface Sold {
  packs: readonly { skuKey: string; credits: number; amount: number }[];
  plans: readonly SoldPlan[];
  imageCredits: number;
  /** Tokens that a credit pays for. */
  tokensPerCredit: number;
}

export interface SoldPlan {
  planKey: string;
  /** Credits of a month. */
  credits: number;
  /** Minor units of a period. */
  amounts: { month: number; year: number };
  /** The provider's prices. */
  prices: { month: string; year: string };
}

/** Where the steps are taken. */
export interface Stage {
  world: World;
  sold: Sold;
  /** Counts something that was judged. */
  count(kind: string, times?: number): void;
  /** Whether a machine's fault is going on, or was until a moment ago: then answers may be lost. */
  isStormy(since?: number): boolean;
  /** How often a provider was called for a run, by the mark in its prompt. */
  callsFor(mark: string): number;
  /** All that providers made for it. */
  madeFor(mark: string): Made;
  mailsTo(address: string): Mail[];
  /** Whether a machine was ever broken in this cycle. */
  hadStorm(): boolean;
  /** All accounts of the cycle so far. */
  everyone(): readonly Person[];
  /** How many operators compare the whole shop with the provider at this moment. */
  comparisons: { underWay: number };
}

type Asked = Omit<Call, "port"> & {
  at: Site;
  /** Milliseconds after a machine's fault in which this may still be refused because of it; none if left out. */
  echo?: number;
  /** A code that is an answer, and not a reason to ask again: its key keeps it. */
  kept?: string;
};

/** So long a process that died keeps an account's turn to change its plan. */
export const TURN_MS = 60_000;

const PATIENCE_MS = 90_000;

/** Sends a request once. Null if its outcome is unknown, which only a fault of the machines excuses. */
export async function tryOnce(
  stage: Stage,
  { at, echo = 0, kept, ...call }: Asked,
): Promise<Reply | null> {
  const [first, second] = stage.world.servers;
  const { port } = at === 0 ? first : second;
  const began = performance.now();
  const reply = await send({ ...call, port }).catch((error: unknown) => {
    if (stage.isStormy(began)) return null;
    throw new Fault(`${call.method ?? "GET"} ${call.path} got no response: ${String(error)}`);
  });
  if (reply === null || (reply.isWhole && (!isNotNow(reply) || codeOf(reply) === kept)))
    return reply;
  if (stage.isStormy(began - echo)) return null;
  const what = reply.isWhole ? `${reply.status} ${codeOf(reply)}` : "half a response";
  throw new Fault(`${call.method ?? "GET"} ${call.path} got ${what}, while nothing was broken`);
}

/** Sends a request that may be repeated, until it is answered: to the other server, if one doesn't. */
export async function ask(stage: Stage, asked: Asked, person?: Person): Promise<Reply> {
  const began = performance.now();
  for (let at = asked.at; ; at = at === 0 ? 1 : 0) {
    const reply = await tryOnce(stage, { ...asked, at });
    if (reply) return reply;
    if (person) person.isBlurred = true;
    if (performance.now() - began > PATIENCE_MS)
      throw new Fault(`${asked.method ?? "GET"} ${asked.path} wasn't answered for 90 seconds`);
    await pause(150);
  }
}

/** Looks something up in the database, which may be stopped at this moment. */
export async function lookUp<Found extends Row>(
  { world, isStormy }: Stage,
  text: string,
  values: unknown[],
): Promise<Found[]> {
  for (const began = performance.now(); ; await pause(150)) {
    try {
      return await world.database.sql<Found>(text, values);
    } catch (error) {
      if (!isStormy(began) || performance.now() - began > PATIENCE_MS) throw error;
    }
  }
}

/** The response says that it can't be done now, and not what became of it. */
export function isNotNow(reply: Reply): boolean {
  if (reply.status < 500) return false;
  const code = codeOf(reply);
  // A page has no code.
  return code === null || NOT_NOW.has(code);
}

/** Orders something of a payment stand-in. Null if it has no such thing, or that is over. */
export async function orderAtProvider(
  { world }: Stage,
  path: string,
  body: object,
  method: "POST" | "PUT" = "POST",
): Promise<Record<string, unknown> | null> {
  const control = new URL(world.standIns.controls[world.provider]);
  const reply = await send({
    port: Number(control.port),
    method,
    path: `${control.pathname}${path}`,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (reply.status === 404) return null;
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  return JSON.parse(reply.text);
}

/** Waits until the provider has sent each event once. */
export async function settleEvents(stage: Stage): Promise<void> {
  await orderAtProvider(stage, "/deliveries/settle", {});
}

/** Headers of a request by this person. */
export function headersOf(
  person: Person,
  by: "session" | "key" = "session",
): Record<string, string> {
  const from = { "X-Forwarded-For": person.address };
  if (by === "key" && person.key) return { ...from, Authorization: `Bearer ${person.key.secret}` };
  return person.cookie ? { ...from, Cookie: person.cookie } : from;
}

export const asJson = { "Content-Type": "application/json" };
export const asForm = { "Content-Type": "application/x-www-form-urlencoded" };
