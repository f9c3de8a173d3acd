import { problemDocument, problemOf } from "~/server/request/problem-response.server";

/** Proxies close a connection that is silent for long. */
const COMMENT_MS = 15_000;

/** Not compressed, and held back by no proxy: each event arrives when it is sent. */
const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
};

export type SendEvent = (event: string, data: object) => void;

/** Whether the client asks for events in place of one JSON body. */
export const acceptsEvents = (request: Request): boolean =>
  (request.headers.get("Accept") ?? "")
    .split(",")
    .some((type) => type.split(";")[0]?.trim().toLowerCase() === "text/event-stream");

/**
 * A response of server-sent events: `work` sends them, and its end is the stream's; what it throws is its last event,
 * a problem document. `work` goes on
 * after its client has gone (`left`), unless it looks at that, too.
 */
export function eventStream(left: AbortSignal, work: (send: SendEvent) => Promise<void>): Response {
  const encoder = new TextEncoder();
  let isOpen = true;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        if (isOpen && !left.aborted) controller.enqueue(encoder.encode(text));
      };
      const send: SendEvent = (event, data) =>
        write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      const timer = setInterval(() => write(": still there\n\n"), COMMENT_MS);
      void work(send)
        .catch((error: unknown) => send("error", problemDocument(problemOf(error))))
        .finally(() => {
          clearInterval(timer);
          if (isOpen) controller.close();
        });
    },
    // Who sends it may let go of it when its client has left, before the work hears of that.
    cancel() {
      isOpen = false;
    },
  });
  return new Response(body, { headers: HEADERS });
}
