import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The messages of PostgreSQL's protocol that run a prepared statement, and the simple query. */
const [BIND, QUERY] = [0x42, 0x51];
const SETTING = "SET TIME ZONE 'UTC'";

/**
 * Passes a database's bytes on and records the statements that its clients run: each one's name, `""`
 * for a statement without a name, or the text of a simple query.
 */
export async function startStatementProxy(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  const sockets: Socket[] = [];
  const statements: string[] = [];
  let received = 0;
  const listener = createServer((near) => {
    const far = connect(Number(port), hostname);
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on("error", () => near.destroy());
    near.on(
      "data",
      readMessages((name) => statements.push(name)),
    );
    far.on("data", (bytes: Buffer) => {
      received += bytes.length;
    });
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: url.href,
    /** Bytes that the database has sent so far. */
    received: () => received,
    /** Returns what ran since the last call. */
    take: () => statements.splice(0),
    close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}

/** Reads a client's messages: a type, except for the first one, then a length that counts itself. */
function readMessages(onStatement: (name: string) => void) {
  let rest = Buffer.alloc(0);
  let isFirst = true;
  return (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = isFirst ? 0 : 1;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      const texts = rest.toString("utf8", head + 4, end).split("\0");
      if (!isFirst && rest[0] === BIND) onStatement(texts[1] ?? "");
      if (!isFirst && rest[0] === QUERY && texts[0] !== SETTING) onStatement(texts[0] ?? "");
      rest = rest.subarray(end);
      isFirst = false;
    }
  };
}
