import { isLocalHost } from "~/env.server";
import { type Check, conclude, type Finding, fault, pass, skip, warning } from "./check";
import { type Configuration, withoutMalformed } from "./configuration";
import { hostOf, isSocketUrl, readDatabaseTls, weakensWithNextDriver } from "./database-tls";

/** Checks that nobody can read or forge traffic between this service and other machines. */
export function checkTls(configuration: Configuration): Check[] {
  return [checkDatabase(configuration), checkApiBases(configuration), checkEmail(configuration)];
}

const VERIFY_FULL =
  "add sslmode=verify-full to it, and sslrootcert=<file> where the database has a CA of its own";

/** Only warns: a network between two containers of one machine needs no TLS and looks like any other. */
function checkDatabase({ env: { databaseUrl, directDatabaseUrl } }: Configuration): Check {
  const id = "tls.database";
  if (!databaseUrl) return skip(id, "DATABASE_URL is not usable: see env.database-url");
  const addresses = { DATABASE_URL: databaseUrl, DIRECT_DATABASE_URL: directDatabaseUrl };
  const remote = Object.entries(addresses).filter(([, url]) => url !== null && !isHere(url));
  if (remote.length === 0) return pass(id, "the database is on this machine");
  const findings = remote.flatMap(([name, url]) => judgeDatabaseTls(name, url ?? ""));
  return conclude(id, findings, pass(id, "the database's certificate is checked"));
}

const isHere = (databaseUrl: string) =>
  isSocketUrl(databaseUrl) || isLocalHost(hostOf(databaseUrl));

function judgeDatabaseTls(name: string, databaseUrl: string): Finding[] {
  const tls = readDatabaseTls(databaseUrl);
  if (tls === "none")
    return [
      warning(
        `${name} leads to another machine without TLS: the password and all data cross the network in the clear`,
        VERIFY_FULL,
      ),
    ];
  if (tls === "unverified")
    return [
      warning(
        `${name} accepts any certificate: a machine in between can impersonate the database`,
        VERIFY_FULL,
      ),
    ];
  if (weakensWithNextDriver(databaseUrl))
    return [
      warning(
        `${name} has an sslmode that this driver reads as verify-full and its next version without checking the certificate`,
        "write sslmode=verify-full",
      ),
    ];
  return [];
}

function checkApiBases(configuration: Configuration): Check {
  const id = "tls.api-bases";
  const { texts } = configuration;
  const bases = withoutMalformed(
    configuration,
    Object.keys(texts).filter((name) => name.endsWith("_BASE")),
  );
  const findings = bases.flatMap((name): Finding[] => {
    const { protocol, hostname } = new URL(texts[name] ?? "");
    if (protocol !== "http:" || isLocalHost(hostname)) return [];
    const message = `${name} is plain http: the key and all requests cross the network in the clear`;
    return [fault(message, `write the https address, or unset ${name}`)];
  });
  return conclude(id, findings, pass(id, "every API is called over https, or on this machine"));
}

/** SMTP_URL parameters that override the app's settings in the mail library, with their safe values. */
const SAFE_VALUES = {
  secure: "true",
  requireTLS: "true",
  ignoreTLS: "false",
  opportunisticTLS: "false",
  "tls.rejectUnauthorized": "true",
};

/** The app requires TLS to another machine, but URL parameters of the mail library can turn that off. */
function checkEmail({ env: { email } }: Configuration): Check {
  const id = "tls.email";
  if (!email) return skip(id, "email is off");
  const { hostname, searchParams } = new URL(email.smtpUrl);
  if (isLocalHost(hostname)) return pass(id, "the mail server is on this machine");
  const undoing = Object.entries(SAFE_VALUES).flatMap(([name, safe]) =>
    [null, safe].includes(searchParams.get(name)) ? [] : [name],
  );
  const findings = undoing.map((name) =>
    fault(
      `SMTP_URL has the parameter ${name}: sign-in links could be read or changed in transit`,
      `remove ${name} from SMTP_URL`,
    ),
  );
  return conclude(id, findings, pass(id, "email is sent over TLS, or not at all"));
}
