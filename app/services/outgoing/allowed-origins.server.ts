import { getEnv } from "~/env.server";
import {
  type AddressSettings,
  PURPOSES,
  type PurposeName,
} from "~/services/outgoing/purposes.server";

/** A call that this code may not make. The message names no path, which may hold a secret. */
class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";
}

type Addresses = Partial<Record<PurposeName, readonly string[]>>;

let own: Addresses = {};

/**
 * Allows these purposes the origins of these addresses, in place of the configuration's. For commands
 * that are told an address or read a faulty configuration, and for tests.
 */
export function allowAddresses(addresses: Addresses): void {
  own = addresses;
}

/** Allows all purposes the addresses of these settings. */
export function allowAddressesOf(settings: AddressSettings): void {
  const rows = Object.entries(PURPOSES);
  own = Object.fromEntries(rows.map(([name, { bases }]) => [name, bases(settings)]));
}

/** Whether the purpose may call this URL's origin: its scheme, host and port. */
export function isAllowed(purpose: PurposeName, url: URL): boolean {
  const bases = own[purpose] ?? PURPOSES[purpose].bases(getEnv());
  // As in a content policy, a star stands for the first part of a name.
  const [first = ""] = url.hostname.split(".");
  return bases.some((base) => new URL(base.replace("//*.", `//${first}.`)).origin === url.origin);
}

/** Throws ForbiddenAddress unless `isAllowed`. */
export function requireAllowed(purpose: PurposeName, url: URL): void {
  if (isAllowed(purpose, url)) return;
  const { to, variables } = PURPOSES[purpose];
  throw new ForbiddenAddress(
    `no call to ${url.origin} for ${to}: only the address of ${variables.join(" or ")} may be called`,
  );
}
