import { isLocalHost } from "~/env.server";
import { storeOrigins } from "~/services/storage/store-origins.server";
import { type Check, conclude, fault, found, pass, skip, warning } from "./check";
import { type Configuration, findingsOf } from "./configuration";

/** Checks the object store: its settings, and who can read its objects. */
export function checkStorage(configuration: Configuration): Check[] {
  return [
    checkSettings(configuration),
    checkPublicUrl(configuration),
    checkPrivateBucket(configuration),
  ];
}

function checkSettings(configuration: Configuration): Check {
  const id = "storage.settings";
  const findings = findingsOf(configuration, id);
  const { storage, siteUrl } = configuration.env;
  if (findings.length > 0) return found(id, findings);
  if (!storage.enabled) {
    if (!configuration.texts.STORAGE_PROVIDER) return skip(id, "storage is off");
    const finding = warning(
      "STORAGE_PROVIDER is set and storage is off",
      "set S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_BUCKET_NAME to turn it on",
    );
    return found(id, [finding]);
  }
  const { endpoint, provider } = storage;
  const blame = configuration.isRehearsal ? warning : fault;
  const isPlain = endpoint.protocol === "http:";
  if (isPlain && !isLocalHost(endpoint.hostname))
    findings.push(
      fault(
        "S3_ENDPOINT is plain http: files cross the network in the clear, and browsers refuse to upload there from an https page",
        "write the store's https address",
      ),
    );
  else if (isPlain && siteUrl?.protocol === "https:")
    findings.push(
      blame(
        "S3_ENDPOINT is a localhost address, and browsers upload there themselves",
        "write the address at which browsers reach the store, with https",
      ),
    );
  return conclude(id, findings, pass(id, `${provider} at ${endpoint.host}`));
}

function checkPublicUrl({ env: { storage, siteUrl } }: Configuration): Check {
  const id = "storage.public-url";
  if (!storage.enabled) return skip(id, "storage is off or incomplete");
  if (siteUrl && storeOrigins(storage).includes(siteUrl.origin)) {
    const finding = fault(
      "files are served from the site's own origin, where an uploaded SVG could act as the user who opens it",
      "serve them from another host name, and set S3_PUBLIC_URL and S3_ENDPOINT to it",
    );
    return found(id, [finding]);
  }
  if (storage.publicUrl) return pass(id, `public files are at ${storage.publicUrl.origin}`);
  const finding = warning(
    "S3_PUBLIC_URL is not set: public files get the store's own address, which works only if the bucket is public",
    "set S3_PUBLIC_URL to the bucket's public address",
  );
  return found(id, [finding]);
}

function checkPrivateBucket({ env: { storage } }: Configuration): Check {
  const id = "storage.private-bucket";
  if (!storage.enabled) return skip(id, "storage is off or incomplete");
  if (storage.publicUrl && storage.privateBucket === storage.bucket) {
    const finding = warning(
      "S3_PUBLIC_URL exposes the bucket with private files: anyone who knows a file's key can read it",
      "set S3_PRIVATE_BUCKET_NAME to a second bucket that is not public",
    );
    return found(id, [finding]);
  }
  return pass(
    id,
    storage.publicUrl ? "private files have their own bucket" : "no bucket is exposed",
  );
}
