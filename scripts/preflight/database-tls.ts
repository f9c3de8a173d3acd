/** How the driver protects a connection: `full` checks certificate and host name, `ca` only who signed it. */
export type DatabaseTls = "none" | "unverified" | "ca" | "full";

/** Whether the URL leads to this machine by itself: a Unix socket, or no host at all. */
export function isSocketUrl(databaseUrl: string): boolean {
  const host = hostOf(databaseUrl);
  return host === "" || host.startsWith("/");
}

/** The host that the driver connects to: a `host` parameter wins over the URL's own. */
export function hostOf(databaseUrl: string): string {
  const { hostname, searchParams } = new URL(databaseUrl);
  return searchParams.get("host") || decodeURIComponent(hostname);
}

/**
 * What node-postgres 8 makes of a connection string. It is stricter than libpq: `prefer`, `require` and
 * `verify-ca` all mean `verify-full`, unless `uselibpqcompat=true` asks for libpq's own meaning.
 * PGSSLMODE is not looked at.
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

/** A mode that the driver's next major version takes in libpq's weaker meaning. */
export function weakensWithNextDriver(databaseUrl: string): boolean {
  const { searchParams } = new URL(databaseUrl);
  const mode = searchParams.get("sslmode") ?? "";
  return ["prefer", "require"].includes(mode) && searchParams.get("uselibpqcompat") !== "true";
}
