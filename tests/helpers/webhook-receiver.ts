import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedWebhook {
  rawBody: Uint8Array;
  headers: Headers;
  /** The type and id in the body, whichever provider sent it. */
  type: string;
  id: string;
}

export interface WebhookReceiver {
  url: string;
  received: ReceivedWebhook[];
  /** Responds to the next requests with these statuses, and with 200 from then on. */
  respondWith(...statuses: number[]): void;
  stop(): Promise<void>;
}

/** Starts a small server in the app's place, which keeps every delivery. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const rawBody = new Uint8Array(Buffer.concat(chunks));
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headersDistinct))
      for (const one of value ?? []) headers.append(name, one);
    const event = JSON.parse(new TextDecoder().decode(rawBody)) as Record<string, unknown>;
    const type = String(event.type ?? event.eventType);
    received.push({ rawBody, headers, type, id: String(event.id) });
    const status = statuses.shift() ?? 200;
    response.writeHead(status, status === 302 ? { Location: "/elsewhere" } : {}).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/payments/webhook`,
    received,
    respondWith: (...next) => void statuses.push(...next),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
