import { OPEN_PORT } from "~/env/service-warnings";
import { isLocalHost } from "~/env.server";
import {
  type Check,
  conclude,
  type Finding,
  fault,
  found,
  pass,
  skip,
  toFinding,
  warning,
} from "./check";
import { type Configuration, findingsOf } from "./configuration";
import { findWeakness } from "./secret-strength";

/** Checks the server itself: the three required values, the proxy in front, the contact for reports. */
export function checkService(configuration: Configuration): Check[] {
  return [
    checkDatabaseUrl(configuration),
    checkAuthSecret(configuration),
    checkSiteUrl(configuration),
    checkSettings(configuration),
    checkUnknown(configuration),
    checkAliases(configuration),
    checkSandboxKeys(configuration),
    checkProxy(configuration),
    checkSecurityContact(configuration),
  ];
}

function checkDatabaseUrl(configuration: Configuration): Check {
  const id = "env.database-url";
  return conclude(id, findingsOf(configuration, id), pass(id, "DATABASE_URL is set"));
}

function checkAuthSecret(configuration: Configuration): Check {
  const id = "env.auth-secret";
  const findings = findingsOf(configuration, id);
  const { authSecret } = configuration.env;
  const weakness = authSecret && findWeakness(authSecret, configuration.publishedSecrets);
  if (weakness)
    findings.push(fault(`AUTH_SECRET ${weakness}`, "make one with `openssl rand -base64 48`"));
  return conclude(id, findings, pass(id, "AUTH_SECRET is set and is not a known example"));
}

function checkSiteUrl(configuration: Configuration): Check {
  const id = "env.site-url";
  const findings = findingsOf(configuration, id);
  const { siteUrl } = configuration.env;
  const blame = configuration.isRehearsal ? warning : fault;
  if (siteUrl && isLocalHost(siteUrl.hostname))
    findings.push(
      blame(
        "NEXT_PUBLIC_SITE_URL is a localhost address, which only this machine can open",
        "write the address people open, like https://example.com",
      ),
    );
  else if (siteUrl?.protocol === "http:")
    findings.push(
      warning(
        "NEXT_PUBLIC_SITE_URL is plain http, so passwords and session cookies cross the network in the clear",
        "serve the site over https and write https:// here",
      ),
    );
  const hsts = siteUrl?.protocol === "https:" ? `; ${describeHsts(configuration)}` : "";
  return conclude(id, findings, pass(id, `the site is ${siteUrl?.origin}${hsts}`));
}

/** Said before the first visit: browsers keep it for a year, and nobody can take it back. */
function describeHsts({ env }: Configuration): string {
  return env.hstsIncludeSubdomains
    ? "for a year, browsers that saw it refuse plain http for it and all its subdomains (HSTS_INCLUDE_SUBDOMAINS=false spares the subdomains)"
    : "for a year, browsers that saw it refuse plain http for it, but not for its subdomains";
}

function checkSettings(configuration: Configuration): Check {
  const id = "env.service";
  const findings = findingsOf(configuration, id);
  const { nodeEnv, ttl } = configuration.env;
  if (nodeEnv !== "production")
    findings.push(
      warning(`NODE_ENV is ${nodeEnv}`, "unset it, or set it to production on a public server"),
    );
  if (ttl.pendingFile < ttl.uploadUrl)
    findings.push(
      warning(
        "PENDING_FILE_TTL is below UPLOAD_URL_TTL, so files are deleted while they can still be uploaded",
        "raise PENDING_FILE_TTL",
      ),
    );
  return conclude(id, findings, pass(id, "the service's settings are well-formed"));
}

/** Only warns: the environment may hold names of other programs. */
function checkUnknown({ unknown }: Configuration): Check {
  const id = "env.unknown";
  const findings = unknown.map(({ name, nearest }) =>
    warning(
      `${name} is no variable of this service, so it has no effect`,
      `did you mean ${nearest}?`,
    ),
  );
  return conclude(id, findings, pass(id, "no name looks misspelt"));
}

function checkAliases(configuration: Configuration): Check {
  const id = "env.aliases";
  const otherwise = pass(id, "no two names of one variable disagree");
  return conclude(id, findingsOf(configuration, id), otherwise);
}

function checkSandboxKeys(configuration: Configuration): Check {
  const id = "env.sandbox-keys";
  const otherwise = pass(id, "no sandbox key on a public site");
  return conclude(id, findingsOf(configuration, id), otherwise);
}

/** `npm start` speaks plain http, so an https site needs a proxy that terminates TLS. */
function checkProxy(configuration: Configuration): Check {
  const id = "env.proxy";
  const findings = findingsOf(configuration, id);
  const { siteUrl, trustProxy, host } = configuration.env;
  const hasProxy = siteUrl?.protocol === "https:" && !isLocalHost(siteUrl.hostname);
  if (findings.length === 0 && hasProxy && trustProxy === 0)
    findings.push(
      warning(
        "TRUST_PROXY is 0 and the site is https, which this server does not speak itself: behind a proxy all visitors share its address, and with it their rate limits",
        "set TRUST_PROXY to the number of proxies in front, no higher",
      ),
    );
  if (findings.length === 0 && trustProxy > 0 && host === null)
    findings.push(toFinding("warn", OPEN_PORT));
  const otherwise =
    trustProxy > 0 ? `trusted proxies in front: ${trustProxy}` : "no proxy is believed";
  return conclude(id, findings, pass(id, otherwise));
}

function checkSecurityContact(configuration: Configuration): Check {
  const id = "env.security-contact";
  const findings = findingsOf(configuration, id);
  const { securityContact, nodeEnv } = configuration.env;
  if (findings.length > 0) return found(id, findings);
  if (securityContact) return pass(id, `vulnerabilities are reported to ${securityContact}`);
  if (nodeEnv !== "production") return skip(id, "this is not a production server");
  const finding = warning(
    "SECURITY_CONTACT is not set: people who find a vulnerability cannot report it, and /.well-known/security.txt is 404",
    "set it to mailto:security@<your domain> or to the https address of a form",
  );
  return found(id, [finding]);
}

const SHORTEST_SECRET = 16;

/** Checks the secret of the scheduled routes, if an enabled capability needs them. */
export function checkCronSecret(configuration: Configuration): Check {
  const id = "cron.secret";
  const findings: Finding[] = findingsOf(configuration, id);
  const { cronSecret, incomplete, storage, images, text, payments } = configuration.env;
  const make = "make one with `openssl rand -hex 32`";
  if (findings.length > 0) return found(id, findings);
  if (cronSecret) {
    const weakness = findWeakBearer(cronSecret, configuration);
    if (weakness) findings.push(fault(`CRON_SECRET ${weakness}`, make));
  } else if (incomplete.cron.length > 0) {
    findings.push(
      fault(
        "CRON_SECRET is not set, and subscriptions are sold: the job that grants their monthly credits cannot be called",
        make,
      ),
    );
  } else if ([storage, images, text, payments].some(({ enabled }) => enabled)) {
    findings.push(
      warning(
        "CRON_SECRET is not set: the cron routes cannot be called, so nothing is cleaned up or retried",
        make,
      ),
    );
  } else return skip(id, "nothing that is on needs the cron routes");
  return conclude(id, findings, pass(id, "CRON_SECRET is set"));
}

/** Checks the secret of the metrics, if they are on. */
export function checkMetricsSecret(configuration: Configuration): Check {
  const id = "metrics.secret";
  const findings: Finding[] = findingsOf(configuration, id);
  const { metricsSecret, cronSecret, authSecret } = configuration.env;
  if (findings.length > 0) return found(id, findings);
  if (!metricsSecret) return skip(id, "METRICS_SECRET is not set, so /metrics is 404");
  const isShared = metricsSecret === cronSecret || metricsSecret === authSecret;
  const weakness = isShared
    ? "is the same as another secret: who scrapes metrics could do what that one allows"
    : findWeakBearer(metricsSecret, configuration);
  if (weakness)
    findings.push(fault(`METRICS_SECRET ${weakness}`, "make one with `openssl rand -hex 32`"));
  return conclude(id, findings, pass(id, "METRICS_SECRET is set"));
}

function findWeakBearer(secret: string, { publishedSecrets }: Configuration): string | null {
  return secret.length < SHORTEST_SECRET
    ? `is shorter than ${SHORTEST_SECRET} characters`
    : findWeakness(secret, publishedSecrets);
}
