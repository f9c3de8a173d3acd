import { createServer } from "node:net";

/**
 * Returns a TCP port that is free now: `preferred` if possible, otherwise one the system picks. 0 means
 * any. Pass the host the server will listen on; undefined is every address. A port that is free only on
 * that host is rejected: `localhost` could reach either server.
 */
export async function freePort(preferred = 0, host?: string): Promise<number> {
  const port = (await tryPort(preferred, host)) ?? (await tryPort(0, host));
  if (port === null) throw new Error("no TCP port is free");
  return port;
}

async function tryPort(port: number, host: string | undefined): Promise<number | null> {
  const found = await bind(port, host);
  return found === null || host === undefined ? found : bind(found, undefined);
}

function bind(port: number, host: string | undefined): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(null));
    probe.listen({ port, host }, () => {
      const address = probe.address();
      probe.close(() => resolve(address && typeof address === "object" ? address.port : null));
    });
  });
}
