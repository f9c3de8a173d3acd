import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** The fate of a connection. `half`: requests go in, and nothing comes back. `full`: there is no room for what comes. */
export type Weather = "fine" | "cut" | "slow" | "half" | "away" | "full";

export interface Road {
  port: number;
  set(weather: Weather): void;
  /** Requests and connections that met a weather that isn't fine. */
  met(): number;
  /** Requests that are on their way, or whose responses are, in words. */
  underWay(): string[];
  stop(): void;
}

/** A request that reached a stand-in. */
export interface Exchange {
  path: string;
  asked: string;
}

/** Is told of each exchange. */
export interface Listener {
  onRequest(exchange: Exchange): void;
  /** `replied`: all that the stand-in wrote, whatever became of it on its way. Pictures are left out. */
  onReply(exchange: Exchange, replied: string): void;
}

const SLOW_MS = 400;
/** As a store of S3's kind says it. */
const NO_ROOM =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>XMinioStorageFull</Code><Message>Storage backend has reached its minimum free drive threshold.</Message></Error>';
/** So long nothing comes back over a half-open connection before the network gives it up: longer than a run has whose caller waits. */
const HALF_OPEN_MS = 45_000;
/** The delay of a request on its way, whatever the weather. */
export const LATE_ON_ITS_WAY = "[late on its way]";
/** Longer than a pause waits for runs, so that time jumps while the call goes on. */
const LATE_MS = 8_000;
const KEPT_MS = 3_600_000;
/** The moved time of a response. Node writes the real time, and S3's client sets its clock by it. */
const date = () => new Date().toUTCString();
const listen = (server: net.Server) =>
  new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
  );

/** Stands between the servers and a stand-in that speaks HTTP, and tells of each exchange that reached it. */
export async function startHttpProxy(
  target: number,
  listener: Listener | null = null,
): Promise<Road> {
  let weather: Weather = "fine";
  let met = 0;
  const underWay = new Map<http.ServerResponse, { what: string; since: number; began: Weather }>();
  const server = http.createServer(async (request, response) => {
    if (weather !== "fine") met += 1;
    if (weather === "away") return void request.socket.destroy();
    const now = weather;
    const what = `${request.method} ${request.url}`;
    underWay.set(response, { what, since: performance.now(), began: now });
    response.once("close", () => underWay.delete(response));
    const asked = await bodyOf(request);
    if (asked === null) return;
    if (now === "full" && request.method === "PUT")
      return void response
        .writeHead(507, { "Content-Type": "application/xml", date: date() })
        .end(NO_ROOM);
    if (now === "half") {
      const givesUp = setTimeout(() => response.destroy(), HALF_OPEN_MS);
      response.once("close", () => clearTimeout(givesUp));
    }
    if (now === "slow") await pause(SLOW_MS);
    if (asked.includes(LATE_ON_ITS_WAY)) await pause(LATE_MS);
    const { method = "GET", url = "/", headers } = request;
    const exchange = { path: url, asked: asked.toString("utf8") };
    listener?.onRequest(exchange);
    // A connection of its own: a kept one may be closed by the stand-in at the moment of the next call.
    const passed = http.request(
      { host: "127.0.0.1", port: target, method, path: url, headers, agent: false },
      (reply) => {
        const status = reply.statusCode ?? 500;
        if (listener && !reply.headers["content-type"]?.startsWith("image/"))
          keep(reply, (replied) => listener.onReply(exchange, replied));
        if (now !== "half") response.writeHead(status, { ...reply.headers, date: date() });
        reply.on("data", (chunk: Buffer) => {
          if (now !== "cut" && now !== "half") response.write(chunk);
        });
        reply.on("error", () => response.destroy());
        reply.on("end", () => {
          // Cut: it was done there, and nobody here learns it.
          if (now === "cut") response.destroy();
          else if (now !== "half") response.end();
        });
      },
    );
    passed.on("error", () => response.destroy());
    response.on("close", () => response.writableFinished || passed.destroy());
    passed.end(asked);
  });
  // Closing an idle connection at the moment it is used again would break a call that nothing else broke.
  server.keepAliveTimeout = KEPT_MS;
  const port = await listen(server);
  return {
    port,
    underWay: () =>
      // Node doesn't tell of each connection that the other side has closed.
      [...underWay]
        .filter(([{ socket }]) => socket?.destroyed === false)
        .map(([, { what, since, began }]) => {
          const seconds = Math.round((performance.now() - since) / 1_000);
          return `${what}, for ${seconds} s, in weather that was ${began}`;
        }),
    met: () => met,
    set(next) {
      weather = next;
      if (next === "away") server.closeAllConnections();
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Keeps what comes until the end, or until whoever reads it has left. */
function keep(reply: http.IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  reply.on("data", (chunk: Buffer) => chunks.push(chunk));
  reply.once("close", () => done(Buffer.concat(chunks).toString("utf8")));
}

async function bodyOf(request: http.IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}

/** The same for a stand-in that speaks anything else. */
export async function startTcpProxy(target: number): Promise<Road> {
  let weather: Weather = "fine";
  const open = new Set<net.Socket>();
  let met = 0;
  const server = net.createServer((near) => {
    if (weather !== "fine") met += 1;
    if (weather === "away") return void near.destroy();
    const far = net.connect(target, "127.0.0.1");
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("close", () => open.delete(socket));
      socket.on("error", () => undefined);
    }
    near.pipe(far);
    far.on("data", (chunk) => {
      if (weather === "half") return;
      if (weather === "cut") return void near.destroy();
      const pass = () => near.writable && near.write(chunk);
      if (weather === "slow") setTimeout(pass, SLOW_MS);
      else pass();
    });
    far.on("end", () => near.end());
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  const port = await listen(server);
  const drop = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port,
    underWay: () => Array.from(open, () => "a connection"),
    met: () => met,
    set(next) {
      weather = next;
      if (next === "away") drop();
    },
    stop() {
      drop();
      server.close();
    },
  };
}
