import type { MigrationError } from "../db/migration-error";

const REACH = "check the address, that PostgreSQL runs, and that this machine may reach it";

/** Remedies by the code of PostgreSQL (five characters), of the operating system, or of TLS. */
const BY_CODE: Record<string, string> = {
  "28P01":
    "correct the user or the password in DATABASE_URL; special characters are percent-encoded",
  "28000":
    "create the role, or allow it in the server's pg_hba.conf from this address (with hostssl: over TLS)",
  "3D000": "create the database, owned by the app's role, or correct its name in DATABASE_URL",
  "42501": "let the role connect: GRANT CONNECT ON DATABASE … TO …",
  "53300":
    "raise max_connections, or lower DATABASE_POOL_SIZE and WEB_CONCURRENCY (docs/more-than-one-process.md)",
  "57P03": "PostgreSQL is starting or stopping: try again",
  ECONNREFUSED:
    "nothing listens there: start PostgreSQL, or correct the host and port in DATABASE_URL",
  ENOTFOUND: "no machine has that name: correct the host in DATABASE_URL",
  EAI_AGAIN: "the name could not be looked up: check this machine's DNS",
  ETIMEDOUT:
    "there is no response: check the host, its firewall, and that this machine may reach it",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "the certificate is for another name: write the name it is for as the host in DATABASE_URL",
  CERT_HAS_EXPIRED: "renew the database's certificate",
};

const TRUST =
  "the certificate is of an authority that Node does not know: add sslrootcert=<its certificate's file> to DATABASE_URL";
const UNTRUSTED = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** The driver gives these no code. */
const BY_MESSAGE: [RegExp, string][] = [
  [
    /does not support SSL/,
    "turn TLS on at the server (ssl = on in postgresql.conf); only on this machine or a private network, remove sslmode from DATABASE_URL",
  ],
  // PgBouncer's own errors.
  [
    /(server login failed|SASL|password authentication|auth failed|no such user)/i,
    `${BY_CODE["28P01"]}; behind PgBouncer, correct it in its userlist.txt, too`,
  ],
  [
    /no such database|database ".*" does not exist/i,
    `${BY_CODE["3D000"]}; behind PgBouncer, name it in pgbouncer.ini, too`,
  ],
  [/must be a string|password must be/i, "write the password in DATABASE_URL"],
  [/timeout/i, BY_CODE.ETIMEDOUT ?? REACH],
  [
    /ENOENT.*\.(pem|crt|cer)/,
    "correct the file's path in DATABASE_URL; this user must be able to read it",
  ],
];

/** Returns the remedy that fits why there is no connection. */
export function connectionRemedy({ code = "", message }: MigrationError): string {
  if (UNTRUSTED.has(code)) return TRUST;
  return BY_CODE[code] ?? BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1] ?? REACH;
}
