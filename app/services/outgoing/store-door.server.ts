import { addAbortSignal, pipeline, Readable, Transform } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { requireAllowed } from "~/services/outgoing/allowed-origins.server";
import { PURPOSES } from "~/services/outgoing/purposes.server";

const { bytes, seconds } = PURPOSES.storage;

/** The SDK's request, as far as it says where it goes. */
interface Target {
  protocol: string;
  hostname: string;
  port?: number;
}

/**
 * Holds an SDK's client to the store's addresses, and its responses to the purpose's limits. The SDK has
 * a client of its own, since uploads are streams that `fetch` sends without their length.
 */
export function holdToStore(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const { protocol, hostname, port } = args.request as Target;
      requireAllowed("storage", new URL(`${protocol}//${hostname}:${port ?? ""}`));
      const result = await next(args);
      const reply = result.response as { body?: unknown };
      if (reply.body instanceof Readable) reply.body = limitBody(reply.body);
      return result;
    },
    // The last step before the request is sent, and the first after its response.
    { step: "deserialize", priority: "low", name: "holdToStore" },
  );
}

/** The same body, which fails once it is too long or takes too long. */
function limitBody(body: Readable): Readable {
  let size = 0;
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      size += chunk.length;
      if (size > bytes) callback(new Error(`the store's response is longer than ${bytes} bytes`));
      else callback(null, chunk);
    },
  });
  addAbortSignal(AbortSignal.timeout(seconds * 1000), limited);
  // Its reader sees an error; either stream's end ends the other.
  pipeline(body, limited, () => undefined);
  return limited;
}
