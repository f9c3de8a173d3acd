import { setTimeout as pause } from "node:timers/promises";
import { arrange, type DeliveryMode, deliveryMode, isDropped } from "./delivery-mode";

export interface SandboxEvent {
  id: string;
  type: string;
  /** The exact text that is signed and sent. */
  body: string;
}

/** One attempt; without a response, `status` is null and `error` says why. */
interface Attempt {
  at: string;
  status: number | null;
  error: string | null;
}

export interface DeliveryRecord extends SandboxEvent {
  state: "waiting" | "delivered" | "failed" | "dropped";
  attempts: Attempt[];
}

interface EngineOptions {
  /** The endpoint, until another is set. */
  webhookUrl: string;
  /** Returns the signature headers of one attempt. */
  sign(body: string, at: Date): Record<string, string>;
  isAccepted(status: number): boolean;
  /** Seconds between attempts, as at the provider. */
  retrySeconds: readonly number[];
  /** How many times faster than the provider it retries. */
  retrySpeed: number;
}

const ATTEMPT_TIMEOUT_MS = 30_000;

export type DeliveryEngine = ReturnType<typeof createDeliveryEngine>;

/** Delivers events like a provider: in order, signed anew for each attempt, retried until accepted. */
export function createDeliveryEngine(options: EngineOptions) {
  const records: DeliveryRecord[] = [];
  const stopping = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  let mode = deliveryMode.parse({});
  let { webhookUrl } = options;
  let queue: Promise<unknown> = Promise.resolve();

  async function post(record: DeliveryRecord, url = webhookUrl): Promise<Attempt> {
    const at = new Date();
    const attempt: Attempt = { at: at.toISOString(), status: null, error: null };
    record.attempts.push(attempt);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...options.sign(record.body, at) },
        body: record.body,
        redirect: "manual",
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
      });
      attempt.status = response.status;
      await response.arrayBuffer();
    } catch (error) {
      attempt.error = error instanceof Error ? error.message : String(error);
    }
    if (attempt.status !== null && options.isAccepted(attempt.status)) record.state = "delivered";
    return attempt;
  }

  async function retry(record: DeliveryRecord, round: number): Promise<void> {
    const seconds = options.retrySeconds[round];
    if (record.state === "delivered" || stopping.signal.aborted) return;
    if (seconds === undefined) {
      record.state = "failed";
      return;
    }
    const wait = (seconds * 1000) / options.retrySpeed;
    await pause(wait, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    if (stopping.signal.aborted) return;
    await post(record);
    await retry(record, round + 1);
  }

  async function deliverFirst(record: DeliveryRecord, current: DeliveryMode): Promise<void> {
    if (current.delayMs > 0)
      await pause(current.delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return;
    await Promise.all(Array.from({ length: 1 + current.duplicates }, () => post(record)));
    track(retry(record, 0));
  }

  function track(work: Promise<unknown>): void {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  }

  return {
    /**
     * Queues one action's events. The next action's events follow after a first attempt at each of
     * these.
     */
    send(events: readonly SandboxEvent[]): void {
      const current = mode;
      const batch = events.map((event): DeliveryRecord => {
        const state = isDropped(current, event.type) ? "dropped" : "waiting";
        return { ...event, state, attempts: [] };
      });
      records.push(...batch);
      const sent = arrange(current, batch).filter(({ state }) => state === "waiting");
      for (const record of sent) queue = queue.then(() => deliverFirst(record, current));
    },

    /** Resolves after a first attempt at every queued event, or after `withinMs` milliseconds. */
    async idle(withinMs: number): Promise<void> {
      const waiting = new AbortController();
      const limit = pause(withinMs, undefined, { signal: waiting.signal }).catch(() => undefined);
      await Promise.race([queue, limit]);
      waiting.abort();
    },

    /**
     * Sends an event again, `copies` times at once, spread over `urls` if given (several processes of
     * the app). Returns null if no event has this id.
     */
    async redeliver(
      eventId: string,
      copies: number,
      urls: readonly string[] = [],
    ): Promise<Attempt[] | null> {
      const record = records.find(({ id }) => id === eventId);
      if (!record) return null;
      const sent = Array.from({ length: copies }, (_, copy) =>
        post(record, urls[copy % urls.length]),
      );
      return Promise.all(sent);
    },

    list: (): readonly DeliveryRecord[] => records,
    mode: (): DeliveryMode => mode,
    webhookUrl: (): string => webhookUrl,
    setMode(next: DeliveryMode): void {
      mode = next;
    },
    setWebhookUrl(url: string): void {
      webhookUrl = url;
    },

    /** Aborts pending deliveries. */
    async stop(): Promise<void> {
      stopping.abort();
      await queue;
      await Promise.all(underWay);
    },
  };
}
