import { withClient } from "../../lib/with-client";
import { type Figure, inTurns } from "./bench";
import { requestsPerSecond } from "./load";
import { signUp } from "./our-server";
import type { ServingProcess } from "./serving-process";

/** As many as requests are open at the same time, so that they rarely wait for each other's quota. */
const PEOPLE = 16;

/** Compares upload URLs, each with a row and a signature, with a JSON route of the bare app. */
export async function uploadUrls({
  databaseUrl,
  ours,
  bare,
  seconds,
  onProgress,
}: {
  databaseUrl: string;
  ours: ServingProcess;
  bare: ServingProcess;
  seconds: number;
  onProgress: (line: string) => void;
}): Promise<Figure> {
  onProgress("upload URLs");
  await withClient(databaseUrl, (client) => client.query(KEEP_NONE_PENDING));
  // One by one: a network may have only a few passwords hashed at once.
  const cookies: string[] = [];
  for (let person = 0; person < PEOPLE; person += 1) cookies.push(await signUp(ours));
  const body = JSON.stringify({ filename: "a.png", contentType: "image/png", contentLength: 68 });
  let sent = 0;
  const nextPost = () => {
    sent += 1;
    return { body, headers: { Cookie: cookies[sent % PEOPLE] ?? "" } };
  };
  const rates = await inTurns({
    rounds: 3,
    measure: () => requestsPerSecond({ url: `${ours.url}/api/storage/upload`, seconds, nextPost }),
    reference: () => requestsPerSecond({ url: `${bare.url}/json`, seconds }),
  });
  const what = "POST /api/storage/upload";
  return { what, against: "a bare JSON route", unit: "/s", goal: { atLeast: 0.5 }, ...rates };
}

/** New files are as good as deleted at once, since a user may have only twenty that are pending. */
const KEEP_NONE_PENDING = `
  CREATE FUNCTION bench_delete() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN NEW.deleted_at := now(); RETURN NEW; END';
  CREATE TRIGGER bench_delete BEFORE INSERT ON files FOR EACH ROW EXECUTE FUNCTION bench_delete()`;
