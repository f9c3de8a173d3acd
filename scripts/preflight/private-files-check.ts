import { conclude, fault, pass, skip } from "./check";
import type { Configuration } from "./configuration";
import type { DatabaseCheck } from "./database-check";
import { hasTable } from "./has-table";

/** Fails if private files lie in a bucket that S3_PUBLIC_URL exposes. */
export function checkPrivateFiles({ env: { storage } }: Configuration): DatabaseCheck {
  const id = "storage.private-files";
  return {
    id,
    async run(client) {
      const isExposed =
        storage.enabled && storage.publicUrl !== null && storage.privateBucket === storage.bucket;
      if (!isExposed) return skip(id, "no bucket of private files is exposed");
      if (!(await hasTable(client, "files"))) return skip(id, "there is no table files yet");
      const { rows } = await client.query<{ found: boolean }>(
        "SELECT EXISTS (SELECT FROM files WHERE access::text = 'private') AS found",
      );
      const finding = fault(
        "private files are in the bucket that S3_PUBLIC_URL exposes",
        "move everything under private/ to a second bucket that is not public, and set S3_PRIVATE_BUCKET_NAME to it (docs/storage.md)",
      );
      return conclude(
        id,
        rows[0]?.found ? [finding] : [],
        pass(id, "there is no private file yet"),
      );
    },
  };
}
