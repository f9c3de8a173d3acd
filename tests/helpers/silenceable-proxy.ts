import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * Passes a database's bytes on until it is silenced; then it keeps connections open and sends
 * nothing.
 */
export async function startSilenceableProxy(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  const sockets: Socket[] = [];
  const listener = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect(Number(port), hostname);
    near.on("error", () => far.destroy());
    sockets.push(near, far);
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: url.href,
    /** Resolves with the first data sent after silencing. */
    async silence() {
      for (const socket of sockets) socket.unpipe();
      await Promise.race(sockets.map((socket) => once(socket.resume(), "data")));
    },
    close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}
