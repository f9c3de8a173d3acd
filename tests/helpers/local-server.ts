import type net from "node:net";
import { onTestFinished } from "vitest";

/** Listens on this machine until the test ends, and returns the port. */
export async function listenLocally(server: net.Server): Promise<number> {
  const sockets = new Set<net.Socket>();
  // For a TLS server these are the sockets beneath TLS.
  server.on("connection", (socket: net.Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("not listening on a port");
  return address.port;
}
