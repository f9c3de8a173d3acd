import { lookup as lookupAll } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isLoopbackAddress, isPublicAddress } from "~/utils/network-address";

export type ResolveHost = (hostname: string) => Promise<{ address: string; family: number }[]>;

export type Guarded =
  | { status: "ok"; bytes: Buffer }
  | { status: "redirect"; location: string }
  | { status: "failed"; reason: string };

interface GuardedGet {
  url: URL;
  /** Allows plain http and this machine's own addresses; other private addresses are always refused. */
  allowLoopback: boolean;
  maxBytes: number;
  /** When to give up, on the clock of `performance.now()`. */
  deadline: number;
  resolve?: ResolveHost;
}

const resolveHost: ResolveHost = (hostname) => lookupAll(hostname, { all: true });

/**
 * One GET that follows no redirects and reaches only port 443 of public addresses. The address is checked when the
 * connection is made, so that a name cannot resolve to one address for the check and another for the
 * socket. Never throws; reasons are for the log and contain no URL.
 */
export function guardedGet(options: GuardedGet): Promise<Guarded> {
  const { url, allowLoopback, maxBytes, deadline, resolve: resolveName = resolveHost } = options;
  const mayReach = (address: string) =>
    isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));

  if (url.protocol !== "https:" && !(allowLoopback && url.protocol === "http:"))
    return failed("protocol");
  if (url.username || url.password) return failed("credentials in the address");
  // A literal address is connected to without a lookup. The URL parser has put it in canonical form.
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(literal) && !mayReach(literal)) return failed("blocked address");
  // A URL drops its scheme's own port. Others may be services that speak no HTTP.
  if (url.port && !allowLoopback) return failed("port");

  const lookup: LookupFunction = (hostname, { all }, callback) => {
    resolveName(hostname).then(
      (found) => {
        const [first] = found;
        if (!first || !found.every(({ address }) => mayReach(address)))
          callback(new BlockedAddress(), []);
        else if (all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

  return new Promise((resolve) => {
    const request = (url.protocol === "https:" ? https : http).request(url, {
      agent: false,
      lookup,
      headers: { Accept: "image/*", "Accept-Encoding": "identity" },
    });
    const timer = setTimeout(() => end("time-out"), Math.max(0, deadline - performance.now()));

    function settle(outcome: Guarded): void {
      clearTimeout(timer);
      resolve(outcome);
      request.destroy();
    }
    const end = (reason: string) => settle({ status: "failed", reason });

    request.on("error", (error) =>
      end(error instanceof BlockedAddress ? "blocked address" : "connection failed"),
    );
    request.once("response", (response) => {
      response.on("error", () => end("connection failed"));
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location)
        return settle({ status: "redirect", location: headers.location });
      if (statusCode !== 200) return end(`status ${statusCode}`);
      if (Number(headers["content-length"]) > maxBytes) return end("too large");
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) return end("too large");
        chunks.push(chunk);
      });
      response.once("end", () => settle({ status: "ok", bytes: Buffer.concat(chunks) }));
    });
    request.end();
  });
}

class BlockedAddress extends Error {}

async function failed(reason: string): Promise<Guarded> {
  return { status: "failed", reason };
}
