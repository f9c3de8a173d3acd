import { connect, type Socket } from "node:net";
import { type Client, newAddress } from "./client";

interface RawUpload {
  socket: Socket;
  /** Everything the server has sent so far, as text. */
  reply(): string;
  /** Sends bytes when the connection takes them; resolves early if it is closed. */
  send(bytes: string | Uint8Array): Promise<void>;
}

interface UploadHead {
  length: number | "chunked";
  path?: string;
  /** Where the sender is; a server with `TRUST_PROXY=1` believes it. */
  address?: string | undefined;
}

/** Posts an upload form on a new connection and sends only its head. */
export async function openUpload(
  url: string,
  client: Client,
  { length, path = "/en/files", address = newAddress() }: UploadHead,
): Promise<RawUpload> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  let responded = "";
  socket.on("data", (chunk) => {
    responded += chunk.toString();
  });
  // Some tests are about a connection that the server cuts.
  socket.on("error", () => undefined);
  const size = length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${client.cookie()}\r\n` +
      `X-Forwarded-For: ${address}\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\n${size}\r\n\r\n`,
  );
  return {
    socket,
    reply: () => responded,
    send: (bytes) =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve();
        // Called with an error if the connection is cut meanwhile.
        socket.write(bytes, () => resolve());
      }),
  };
}

/** The beginning of a form's one file. */
export const FILE_PART =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nabc';
