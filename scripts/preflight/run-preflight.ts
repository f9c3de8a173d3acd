import { allowAddressesOf } from "~/services/outgoing/allowed-origins.server";
import { type Check, skip } from "./check";
import { CHECK_IDS, type CheckId, isNamed } from "./check-ids";
import { type Configuration, readConfiguration } from "./configuration";
import { checkConfiguration } from "./configuration-checks";
import { checkDatabase } from "./database-checks";
import { readPublishedSecrets } from "./secret-strength";
import { checkLegal } from "./site-checks";
import { checkTypes } from "./types-check";

interface PreflightOptions {
  /** Ids or groups to leave out. */
  skipped: readonly string[];
  /** Also ask the payment provider, the bucket, the image providers, the text provider and the services of accounts. */
  online: boolean;
  /** This is a trial on one machine: see `Configuration.isRehearsal`. */
  rehearsal: boolean;
  migrationsFolder: string;
}

const ACCOUNT_GROUPS = ["signin", "bot-challenge", "email"];

/** Runs every check on this environment, in the order of their ids. Changes nothing. */
export async function runPreflight(
  source: Record<string, string | undefined>,
  { skipped, online, rehearsal, migrationsFolder }: PreflightOptions,
): Promise<Check[]> {
  const configuration = readConfiguration(source, readPublishedSecrets(), rehearsal);
  allowAddressesOf(configuration.env);
  const isSkipped = (id: CheckId) => isNamed(id, skipped);
  const isWanted = (group: string) =>
    online && CHECK_IDS.some((id) => id.startsWith(`online.${group}`) && !isSkipped(id));
  const [database, types, payments, storage, images, text, accounts] = await Promise.all([
    checkDatabase(configuration, { migrationsFolder, isSkipped }),
    isSkipped("code.types") ? skip("code.types", "left out by --skip") : checkTypes(),
    isWanted("payments") ? askProvider(configuration) : [],
    isWanted("storage") ? askStore(configuration) : [],
    isWanted("images") ? askImageProviders(configuration) : [],
    isWanted("text") ? askTextProvider(configuration) : [],
    ACCOUNT_GROUPS.some(isWanted) ? askAccountServices(configuration) : [],
  ]);
  const made = new Map(
    [
      ...checkConfiguration(configuration),
      checkLegal(configuration),
      ...database,
      types,
      ...payments,
      ...storage,
      ...images,
      ...text,
      ...accounts,
    ].map((check) => [check.id, check]),
  );
  return CHECK_IDS.map((id) => {
    if (isSkipped(id)) return skip(id, "left out by --skip");
    return made.get(id) ?? skip(id, "asked with --online only");
  });
}

// Loaded only with `--online`: both SDKs take longer to load than all other checks to run.
async function askProvider(configuration: Configuration): Promise<Check[]> {
  const { checkPaymentsOnline } = await import("./online/payments-online");
  return checkPaymentsOnline(configuration);
}

async function askStore(configuration: Configuration): Promise<Check[]> {
  const { checkStorageOnline } = await import("./online/storage-online");
  return checkStorageOnline(configuration);
}

async function askImageProviders(configuration: Configuration): Promise<Check[]> {
  const { checkImagesOnline } = await import("./online/images-online");
  return checkImagesOnline(configuration);
}

async function askTextProvider(configuration: Configuration): Promise<Check[]> {
  const { checkTextOnline } = await import("./online/text-online");
  return checkTextOnline(configuration);
}

async function askAccountServices(configuration: Configuration): Promise<Check[]> {
  const { checkAccountServices } = await import("./online/account-services-online");
  return checkAccountServices(configuration);
}
