import { createServer } from "node:http";
import { listenLocally } from "./local-server";

/** A server on this machine until the test ends, which keeps the paths that it is asked for. */
export async function startCatcher(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    response.end();
  });
  return { url: `http://127.0.0.1:${await listenLocally(server)}`, asked };
}
