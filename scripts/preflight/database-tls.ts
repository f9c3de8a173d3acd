/**
 * How the driver protects a connection: `full` checks the certificate and the host name, `ca` only the
 * signer.
 */
export type DatabaseTls = "none" | "unverified" | "ca" | "full";

/** Whether the URL always leads to this machine: a Unix socket, or no host at all. */
export function isSocketUrl(databaseUrl: string): boolean {
  const host = hostOf(databaseUrl);
  return host === "" || host.startsWith("/");
}

/** Returns the host that the driver connects to: a `host` parameter wins over the URL's own. */
export function hostOf(databaseUrl: string): string {
  const { hostname, searchParams } = new URL(databaseUrl);
  return searchParams.get("host") || decodeURIComponent(hostname);
}

/**
 * Reads a connection string like node-postgres 8. It is stricter than libpq: `prefer`, `require` and
 * `verify-ca` all mean `verify-full`, unless `uselibpqcompat=true` asks for libpq's meaning. It ignores
 * PGSSLMODE.
 */
export function readDatabaseTls(databaseUrl: string): DatabaseTls {
  const { searchParams } = new URL(databaseUrl);
  const mode = searchParams.get("sslmode");
  const hasFile = ["sslcert", "sslkey", "sslrootcert"].some((name) => searchParams.get(name));
  if (mode || hasFile) {
    if (mode === "disable") return "none";
    return searchParams.get("uselibpqcompat") === "true"
      ? asLibpq(mode, Boolean(searchParams.get("sslrootcert")))
      : mode === "no-verify"
        ? "unverified"
        : "full";
  }
  const ssl = searchParams.get("ssl");
  if (ssl === "no-verify") return "unverified";
  const isOn = ssl === "true" || ssl === "1" || searchParams.get("sslnegotiation") === "direct";
  return isOn ? "full" : "none";
}

function asLibpq(mode: string | null, hasRootCertificate: boolean): DatabaseTls {
  if (mode === "verify-ca") return "ca";
  if (mode === "prefer") return "unverified";
  if (mode === "require") return hasRootCertificate ? "ca" : "unverified";
  return "full";
}

/** Whether the driver's next major version will give the mode libpq's weaker meaning. */
export function weakensWithNextDriver(databaseUrl: string): boolean {
  const { searchParams } = new URL(databaseUrl);
  const mode = searchParams.get("sslmode") ?? "";
  return ["prefer", "require"].includes(mode) && searchParams.get("uselibpqcompat") !== "true";
}
