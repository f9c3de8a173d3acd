import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface RunningServer {
  /** Without a trailing slash. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Serves an app on localhost only; port 0 takes any free port. `createApp` gets the URL, because the
 * app's responses contain it.
 */
export async function serveLocally(
  port: number,
  createApp: (url: string) => RequestListener,
): Promise<RunningServer> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on("request", createApp(url));
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
