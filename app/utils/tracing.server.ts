/** Attributes of a span: ids and counts; never a prompt, an address or a key. */
export type SpanFacts = Record<string, string | number | boolean>;

export interface SpanOptions {
  /** One of few names. */
  name: string;
  /** Whether it serves a request, calls another service, does a job, or is a step inside. */
  kind: "server" | "client" | "consumer" | "internal";
  facts?: SpanFacts;
}

/** A span that has begun. */
export interface OpenSpan {
  note(facts: SpanFacts): void;
  /** Runs `work` so that spans which begin in it belong to this one. */
  run<Result>(work: () => Result): Result;
  /** Ends it, as failed if there is an error. Nothing of the error is kept but its kind. */
  end(error?: unknown): void;
}

export interface Tracer {
  begin(options: SpanOptions): OpenSpan;
}

let tracer: Tracer | null = null;

/** Traces from now on. Without this call nothing is traced, and no library for it is loaded. */
export function setTracer(given: Tracer | null): void {
  tracer = given;
}

export const isTracing = (): boolean => tracer !== null;

/** Runs `work` inside a span that ends with it. */
export async function inSpan<Result>(
  options: SpanOptions,
  work: (note: (facts: SpanFacts) => void) => Promise<Result>,
): Promise<Result> {
  if (!tracer) return work(() => undefined);
  const span = tracer.begin(options);
  try {
    const result = await span.run(() => work((facts) => span.note(facts)));
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
