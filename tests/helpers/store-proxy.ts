import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** A request to the store, and what came back. */
export interface StoreRequest {
  method: string;
  path: string;
  /** Bytes of the response's body. */
  bytes: number;
}

/** Which requests wait. */
type Held = (request: { method: string; path: string }) => boolean;

/**
 * Stands between a server and the store at `endpoint`: counts what is asked and read, and lets requests
 * wait. Signatures stay valid, since the store sees the host that was signed.
 */
export async function startStoreProxy(endpoint: string) {
  const target = new URL(endpoint);
  const requests: StoreRequest[] = [];
  let isHeld: Held = () => false;
  let failing: Held = () => false;
  let waiting: (() => void)[] = [];

  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const entry = { method, path: url.split("?")[0] ?? "", bytes: 0 };
    requests.push(entry);
    if (isHeld(entry)) await new Promise<void>((resolve) => waiting.push(resolve));
    if (failing(entry)) return response.writeHead(500).end();
    const { hostname: host, port } = target;
    const onward = send({ host, port, method, path: url, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.on("data", (chunk: Buffer) => {
        entry.bytes += chunk.length;
      });
      reply.pipe(response);
    });
    // A test killed the one who asked.
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** From now on, these requests wait until the returned function is called. */
    hold(which: Held): () => void {
      isHeld = which;
      return () => {
        isHeld = () => false;
        for (const goOn of waiting) goOn();
        waiting = [];
      };
    },
    /** From now on, these requests get a 500. */
    fail(which: Held): void {
      failing = which;
    },
    /** How many requests wait. */
    held: () => waiting.length,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type StoreProxy = Awaited<ReturnType<typeof startStoreProxy>>;
