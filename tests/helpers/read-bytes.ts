import { get, type IncomingMessage } from "node:http";

/**
 * Gets a target exactly as it is written, with these headers only, and returns the body's bytes as they
 * were sent. `fetch` resolves dots, asks for compression itself and undoes it.
 */
export async function readBytes(
  url: string,
  target: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: IncomingMessage["headers"]; body: Buffer }> {
  const { port } = new URL(url);
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get({ host: "localhost", port, path: target, headers }, resolve).once("error", reject),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks),
  };
}
