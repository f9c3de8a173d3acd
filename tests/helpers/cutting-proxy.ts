import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** How a client loses its connection: closed, reset, or with a last message of the server's or the pooler's. */
export type Loss = "closed" | "reset" | { severity: "FATAL" | "ERROR"; code: string };

interface Cut {
  /** Part of the statement that is run, and whose answer is lost. */
  at: string;
  /** Part of an earlier statement of the same connection. */
  after?: string;
  how: Loss;
}

/** Passes a database's bytes on, and loses the answer to a statement that was run: its connection breaks instead. */
export async function startCuttingProxy(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  const sockets: Socket[] = [];
  let armed: Cut | null = null;
  const listener = createServer((near) => {
    const far = connect(Number(port), hostname);
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on("error", () => near.destroy());
    let isMarked = false;
    near.on("data", (bytes) => {
      if (!armed) return;
      isMarked ||= !armed.after || bytes.includes(armed.after);
      if (!isMarked || !bytes.includes(armed.at)) return;
      const { how } = armed;
      armed = null;
      far.unpipe(near);
      far.resume().once("data", () => lose(near, how));
    });
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: url.href,
    /** Loses the answer to the next statement with this text. */
    cut(next: Cut) {
      armed = next;
    },
    /** Whether the statement hasn't come yet. */
    isArmed: () => armed !== null,
    close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}

function lose(near: Socket, how: Loss): void {
  if (how === "closed") near.destroy();
  else if (how === "reset") near.resetAndDestroy();
  else near.end(errorResponse(how));
}

/** PostgreSQL's ErrorResponse: a type, a length that counts itself, fields that each end with a zero. */
function errorResponse({ severity, code }: Exclude<Loss, string>): Buffer {
  const fields = Buffer.from(`S${severity}\0V${severity}\0C${code}\0Mlost in a test\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
