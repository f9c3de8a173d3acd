import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface Backend {
  port: number;
  isIn: boolean;
}

const PROBE_MS = 100;

/**
 * Starts a load balancer in front of these ports, in one of the two common ways. `asks readyz`: it keeps
 * connections open, sends requests only to servers whose last probe of /readyz was 200, and repeats
 * nothing. `tries the next`: nginx without health checks and with `max_fails=0`. It has a connection for
 * each request, and repeats a GET, or what never reached a server, at the next one.
 */
export async function startBalancer(ports: number[], way: "asks readyz" | "tries the next") {
  const probes = way === "asks readyz";
  const agent = new Agent({ keepAlive: probes });
  const backends = ports.map((port): Backend => ({ port, isIn: true }));
  let turn = 0;

  const server = createServer(async (incoming, outgoing) => {
    const body = await readAll(incoming);
    const usable = backends.filter(({ isIn }) => isIn);
    turn += 1;
    const order = usable.map((_, n) => usable[(turn + n) % usable.length]?.port ?? 0);
    forward({ incoming, outgoing, body, agent, ports: probes ? order.slice(0, 1) : order });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const timer = setInterval(() => probes && backends.map(probe), PROBE_MS);
  onTestFinished(() => {
    clearInterval(timer);
    agent.destroy();
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The ports that get requests now. */
    serving: () => backends.filter(({ isIn }) => isIn).map(({ port }) => port),
  };
}

/** Asks on a connection of its own, as balancers do. */
function probe(backend: Backend): void {
  const note = (isIn: boolean) => {
    backend.isIn = isIn;
  };
  request({ port: backend.port, path: "/readyz", agent: false }, (response) => {
    response.resume();
    note(response.statusCode === 200);
  })
    .on("error", () => note(false))
    .end();
}

interface Forward {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  body: Buffer;
  agent: Agent;
  /** Tried in this order. */
  ports: number[];
}

function forward({ ports: [port, ...others], ...rest }: Forward): void {
  const { incoming, outgoing, body, agent } = rest;
  if (port === undefined) {
    outgoing.writeHead(502).end();
    return;
  }
  const { method, url: path, headers } = incoming;
  const upstream = request({ port, method, path, headers, agent }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  upstream.on("error", (error: NodeJS.ErrnoException) => {
    const mayRepeat = method === "GET" || error.code === "ECONNREFUSED";
    forward({ ...rest, ports: mayRepeat ? others : [] });
  });
  upstream.end(body);
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
