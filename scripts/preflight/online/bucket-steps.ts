import { outgoingFetch } from "~/services/outgoing/outgoing-fetch.server";
import type { ObjectRef, ObjectStore } from "~/services/storage/object-store.server";
import { type Finding, fault } from "../check";

const TIMEOUT_MS = 15_000;
const URL_SECONDS = 120;
const CONTENT = "preflight\n";
const CONTENT_TYPE = "image/png";

export interface Attempt {
  store: ObjectStore;
  object: ObjectRef;
  /** The object's bucket. */
  bucket: string;
  siteOrigin: string | null;
}

const ask = (url: string, init: RequestInit = {}) =>
  outgoingFetch("storage")(url, {
    ...init,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });

const presign = ({ store, object }: Attempt) =>
  store.presignPut({
    ...object,
    contentType: CONTENT_TYPE,
    contentLength: CONTENT.length,
    expiresIn: URL_SECONDS,
  });

/** Uploads an object with its signed URL, as a browser does. */
export async function upload(attempt: Attempt): Promise<Finding | null> {
  const headers = { "Content-Type": CONTENT_TYPE };
  const response = await ask(await presign(attempt), { method: "PUT", body: CONTENT, headers });
  if (response.ok) return null;
  return fault(
    `bucket ${attempt.bucket} refuses a presigned PUT: ${await describeResponse(response)}`,
    "check the bucket's name, the region, and that the access key may write there",
  );
}

/** Sends the CORS preflight of a browser's upload. */
export async function askCors(attempt: Attempt): Promise<Finding | null> {
  const { bucket, siteOrigin } = attempt;
  const response = await ask(await presign(attempt), {
    method: "OPTIONS",
    headers: {
      Origin: siteOrigin ?? "",
      "Access-Control-Request-Method": "PUT",
      "Access-Control-Request-Headers": "content-type",
    },
  });
  const allows = (name: string, wanted: string) =>
    (response.headers.get(`access-control-allow-${name}`) ?? "")
      .split(",")
      .some((entry) => ["*", wanted.toLowerCase()].includes(entry.trim().toLowerCase()));
  const isAllowed =
    response.ok &&
    allows("origin", siteOrigin ?? "") &&
    allows("methods", "PUT") &&
    allows("headers", "content-type");
  if (isAllowed) return null;
  return fault(
    `bucket ${bucket} does not let browsers on ${siteOrigin} PUT with a Content-Type (status ${response.status})`,
    "set the CORS rule of docs/storage.md on it",
  );
}

/** Reads the object back with a signed URL. */
export async function download({ store, object, bucket }: Attempt): Promise<Finding | null> {
  const url = await store.presignGet({
    ...object,
    filename: "preflight.png",
    contentType: CONTENT_TYPE,
    expiresIn: URL_SECONDS,
  });
  const response = await ask(url);
  if (response.ok && (await response.text()) === CONTENT) return null;
  return fault(
    `bucket ${bucket} does not return what was stored: ${await describeResponse(response)}`,
    "let the access key read objects there",
  );
}

/** Reads the object at its public address. */
export async function readPublic({ store, object }: Attempt): Promise<Finding | null> {
  const url = store.publicUrl(object.key);
  const response = await ask(url);
  if (response.ok && (await response.text()) === CONTENT) return null;
  return fault(
    `a public file cannot be read at ${new URL(url).origin}: ${await describeResponse(response)}`,
    "point S3_PUBLIC_URL at the bucket's root, and make the bucket readable there (docs/storage.md)",
  );
}

/** Reads the signed address without its signature: anyone who was once given a link has it. */
export async function readUnsigned(attempt: Attempt): Promise<Finding | null> {
  const signed = new URL(await presign(attempt));
  const response = await ask(signed.origin + signed.pathname);
  if (!response.ok) return null;
  return fault(
    `bucket ${attempt.bucket} serves private files to anyone`,
    "block public access to it, and use a second bucket for public files (docs/storage.md)",
  );
}

/** Deletes the object and checks that it is gone. */
export async function remove({ store, object, bucket }: Attempt): Promise<Finding | null> {
  await store.delete(object);
  if ((await store.head(object)) === null) return null;
  return fault(
    `${object.key} is still in bucket ${bucket} after it was deleted`,
    "let the access key delete objects there, and delete this one",
  );
}

/** S3 names the error in an XML code; the rest of the response may hold names and keys. */
async function describeResponse(response: Response): Promise<string> {
  const code = /<Code>(\w+)<\/Code>/.exec(response.bodyUsed ? "" : await response.text())?.[1];
  return `status ${response.status}${code ? ` ${code}` : ""}`;
}
