import { randomBytes } from "node:crypto";
import { isLocalHost } from "~/env/formats";
import { createS3Store } from "~/services/storage/s3-store.server";
import { describeError } from "~/utils/describe-error";
import { type Check, conclude, type Finding, fault, pass, skip } from "../check";
import { CHECK_IDS, type CheckId } from "../check-ids";
import type { Configuration } from "../configuration";
import {
  type Attempt,
  askCors,
  download,
  readPublic,
  readUnsigned,
  remove,
  upload,
} from "./bucket-steps";

type StorageId = Extract<CheckId, `online.storage-${string}`>;
const IDS = CHECK_IDS.filter((id): id is StorageId => id.startsWith("online.storage-"));

/**
 * Tests a file's path through each bucket: a presigned PUT as from a browser, a signed GET, the public
 * address, and the deletion. Leaves nothing behind, if the bucket allows deletion.
 */
export async function checkStorageOnline({ env, isRehearsal }: Configuration): Promise<Check[]> {
  const { storage, siteUrl } = env;
  if (!storage.enabled) return IDS.map((id) => skip(id, "storage is off or incomplete"));
  const isSandbox = isRehearsal && isLocalHost(storage.endpoint.hostname);
  const store = createS3Store(storage);
  const key = `preflight/${randomBytes(16).toString("hex")}.png`;
  const attempts = (["public", "private"] as const).map(
    (access): Attempt => ({
      store,
      object: { key, access },
      bucket: access === "public" ? storage.bucket : storage.privateBucket,
      siteOrigin: siteUrl?.origin ?? null,
    }),
  );
  const findings = new Map<StorageId, Finding[]>();
  /** Runs one step and returns whether it succeeded. */
  const make = async (id: StorageId, step: () => Promise<Finding | null>): Promise<boolean> => {
    const finding = await step().catch((error) => fault(describeError(error), REACH));
    const known = findings.get(id) ?? [];
    const isNew = finding && !known.some(({ message }) => message === finding.message);
    findings.set(id, isNew ? [...known, finding] : known);
    return finding === null;
  };
  for (const attempt of attempts) {
    if (siteUrl) await make("online.storage-cors", () => askCors(attempt));
    if (!(await make("online.storage-upload", () => upload(attempt)))) continue;
    if (attempt.object.access === "private") {
      await make("online.storage-download", () => download(attempt));
      await make("online.storage-private", async () => {
        const finding = await readUnsigned(attempt);
        // The sandbox's store serves every object without a signature.
        return finding && isSandbox ? { ...finding, status: "warn" } : finding;
      });
    } else if (storage.publicUrl) {
      await make("online.storage-public", () => readPublic(attempt));
    }
    await make("online.storage-delete", () => remove(attempt));
  }
  const whyNot = (id: StorageId) => {
    if (id === "online.storage-cors") return "the site's address is not usable: see env.site-url";
    const isUnset = id === "online.storage-public" && !storage.publicUrl;
    return isUnset ? "S3_PUBLIC_URL is not set" : "nothing was stored: see online.storage-upload";
  };
  return IDS.map((id) => {
    const made = findings.get(id);
    return made ? conclude(id, made, pass(id, SUCCESSES[id])) : skip(id, whyNot(id));
  });
}

const REACH = "check S3_ENDPOINT, and that this machine may reach it";
const SUCCESSES: Record<StorageId, string> = {
  "online.storage-upload": "a presigned PUT is taken",
  "online.storage-cors": "browsers on the site may upload",
  "online.storage-download": "a signed GET returns what was stored",
  "online.storage-public": "a public file can be read at its address",
  "online.storage-private": "a private file cannot be read without a signature",
  "online.storage-delete": "the test objects are deleted again",
};
