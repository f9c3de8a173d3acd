import { connect } from "node:net";

export interface RawResponse {
  /** 0 if the server closed without a response. */
  status: number;
  headers: Headers;
  body: string;
}

/** Milliseconds of silence after which the server is given up. */
const PATIENCE_MS = 15_000;

/**
 * Sends exactly these bytes, which `fetch` would correct or refuse, and reads until the server
 * closes.
 */
export async function sendBytes(url: string, bytes: string | Uint8Array): Promise<RawResponse> {
  const socket = connect(Number(new URL(url).port), "localhost");
  let response = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    response += chunk;
  });
  // A server that refuses early closes while it still receives bytes: its response still counts.
  socket.on("error", () => undefined);
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  socket.write(bytes);
  await new Promise((resolve) => socket.once("close", resolve));
  const end = response.indexOf("\r\n\r\n");
  const [statusLine = "", ...fields] = response.slice(0, end).split("\r\n");
  return {
    status: Number(statusLine.split(" ")[1] ?? 0),
    headers: new Headers(fields.map((field) => field.split(/: (.*)/s).slice(0, 2)) as never),
    body: response.slice(end + 4),
  };
}

/** The same, from the lines of a request without a body. */
export function sendRaw(url: string, lines: string[]): Promise<RawResponse> {
  return sendBytes(url, `${lines.join("\r\n")}\r\n\r\n`);
}
