import { existsSync, writeFileSync } from "node:fs";
import pretty from "pino-pretty";
import { IMAGES_IN_DEVELOPMENT } from "~/catalog";
import { integer } from "~/env/formats";
import { listVariables } from "~/env.server";
import { describeError } from "~/utils/describe-error";
import { setLogLevel } from "~/utils/logger.server";
import { migrateDatabase } from "../db/migrate";
import { seedDemoUser } from "../db/seed";
import { requireDatabaseUrl } from "../lib/database-url";
import { stopAbandonedPostgres } from "../lib/embedded-postgres";
import { freePort } from "../lib/free-port";
import { redactSecrets } from "../lib/redact";
import { claimClone, releaseClone } from "./clone-lock";
import { isAnySet, isSet, localSecret, POSTGRES_DIR, setDefaults } from "./local-env";
import { PAYMENT_VARIABLES, paymentControl } from "./payment-variables";
import { createSupervisor } from "./supervisor";

const S3_VARIABLES = ["S3_ENDPOINT", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "S3_BUCKET_NAME"];
/** If any of these is set, the environment brings its own image providers. */
const IMAGE_VARIABLES = [
  "NEXT_PUBLIC_ENABLE_IMAGE_GENERATION",
  "IMAGE_PROVIDER",
  "IMAGE_PROVIDER_1_KEY",
  "IMAGE_PROVIDER_2_KEY",
  "IMAGE_PROVIDER_3_KEY",
  "FAL_KEY",
  "REPLICATE_API_TOKEN",
  "OPENAI_API_KEY",
];
/** If any of these is set, the environment brings its own endpoint for texts. */
const TEXT_VARIABLES = [
  "NEXT_PUBLIC_ENABLE_TEXT_GENERATION",
  "TEXT_PROVIDER_KEY",
  "TEXT_PROVIDER_API_BASE",
  "TEXT_PROVIDER_MODEL",
];
const MAIL_VARIABLES = ["SMTP_URL", "EMAIL_FROM"];
/** If any of these is set, the environment brings its own providers of social sign-in. */
const OAUTH_VARIABLES = [
  "GITHUB_CLIENT_ID",
  "GITHUB_CLIENT_SECRET",
  "GITHUB_OAUTH_BASE",
  "GITHUB_API_BASE",
  "GOOGLE_CLIENT_ID",
  "GOOGLE_CLIENT_SECRET",
  "GOOGLE_OAUTH_BASE",
];
const BREACH_VARIABLES = ["PASSWORD_BREACH_CHECK", "PASSWORD_BREACH_API_BASE"];
const TURNSTILE_VARIABLES = [
  "NEXT_PUBLIC_TURNSTILE_SITE_KEY",
  "TURNSTILE_SECRET_KEY",
  "TURNSTILE_API_BASE",
];
const PREFERRED_PORT = 3000;
/** The dev server exposes sources and a signed-in demo, so it listens on the network only on request. */
const LOOPBACK = "127.0.0.1";

const began = Date.now();
const supervisor = createSupervisor({ onCrash: (line) => void end(line) });
let ending = false;
let hasOwnPostgres = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end());
// Our parent may be killed without a signal to us; then nobody is left to press Ctrl-C.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && void end(), 500).unref();

try {
  await startEverything();
} catch (error) {
  const isList = error instanceof Error && error.name === "ConfigurationError";
  await end(isList ? error.message : describeError(error));
}

async function startEverything(): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const wanted = wantedPort();
  if (isSet("DATABASE_URL")) requireDatabaseUrl();
  claimClone();
  hasOwnPostgres = !isSet("DATABASE_URL");
  let mailbox: string[] = [];
  await Promise.all([
    hasOwnPostgres
      ? supervisor
          .start({ name: "PostgreSQL", module: "postgres.part" })
          .then(({ databaseUrl = "" }) => setDefaults({ DATABASE_URL: databaseUrl }))
      : undefined,
    isAnySet(S3_VARIABLES)
      ? undefined
      : supervisor.start({ name: "S3", module: "s3.part" }).then(setDefaults),
    isAnySet(IMAGE_VARIABLES) || !IMAGES_IN_DEVELOPMENT
      ? undefined
      : supervisor.start({ name: "Image providers", module: "images.part" }).then(setDefaults),
    isAnySet(TEXT_VARIABLES)
      ? undefined
      : supervisor.start({ name: "Text provider", module: "text.part" }).then(setDefaults),
    isAnySet(MAIL_VARIABLES)
      ? undefined
      : supervisor
          .start({ name: "Mail server", module: "mail.part", output: process.stdout })
          .then(({ mailboxUrl, ...mailEnv }) => {
            setDefaults(mailEnv);
            mailbox = [`  Mailbox:        ${mailboxUrl}`];
          }),
    isAnySet(OAUTH_VARIABLES)
      ? undefined
      : supervisor.start({ name: "Sign-in providers", module: "oauth.part" }).then(setDefaults),
    isAnySet(BREACH_VARIABLES)
      ? undefined
      : supervisor
          .start({ name: "Breached passwords", module: "passwords.part" })
          .then(setDefaults),
    process.argv.includes("--bot-challenge") && !isAnySet(TURNSTILE_VARIABLES)
      ? supervisor.start({ name: "Bot challenge", module: "turnstile.part" }).then(setDefaults)
      : undefined,
  ]);

  const host = process.argv.includes("--host") ? undefined : LOOPBACK;
  const port = await freePort(wanted, host);
  if (wanted !== 0 && port !== wanted) console.log(`Port ${wanted} is taken; using ${port}.`);
  process.env.PORT = String(port);
  setDefaults({
    NODE_ENV: "development",
    NEXT_PUBLIC_SITE_URL: `http://localhost:${port}`,
    AUTH_SECRET: localSecret("auth"),
    CRON_SECRET: localSecret("cron"),
    RATE_LIMIT_SCALE: 100,
  });

  const [demo] = await Promise.all([
    prepareDatabase(),
    isAnySet(PAYMENT_VARIABLES)
      ? undefined
      : supervisor
          .start({
            name: "Payment providers",
            module: "payments.part",
            // Deliveries go straight to the app, whatever the site's address.
            env: {
              PAYMENT_SANDBOX_WEBHOOK_URL: `http://localhost:${port}/api/payments/webhook`,
            },
          })
          .then(setDefaults),
  ]);
  await supervisor.start({
    name: "The app",
    module: "app.part",
    args: host ? [host] : [],
    output: pretty({ colorize: process.stdout.isTTY, ignore: "pid,hostname", singleLine: true }),
  });
  writeOperatorEnv();
  console.log(
    [
      "",
      `  Ready in ${((Date.now() - began) / 1000).toFixed(1)} s:  ${process.env.NEXT_PUBLIC_SITE_URL}`,
      `  ${
        demo.status === "seeded"
          ? `Demo sign-in:   ${demo.email}  /  ${demo.password}`
          : `No demo user was made: ${demo.reason}.`
      }`,
      ...mailbox,
      ...paymentControl(),
      "  Operator commands in another terminal:  set -a; . .data/dev.env; set +a",
      "  Ctrl-C stops everything.",
      "",
    ].join("\n"),
  );
}

async function prepareDatabase() {
  const databaseUrl = process.env.DATABASE_URL ?? "";
  try {
    await migrateDatabase({ databaseUrl, folder: "prisma/migrations" });
  } catch (error) {
    if (hasOwnPostgres) throw error;
    // It may come from `.data/dev.env` of an earlier run, whose database has ended.
    const hint =
      "DATABASE_URL is set in .env or in this terminal: without it, dev starts PostgreSQL";
    throw new Error(`${describeError(error)} (${hint})`, { cause: error });
  }
  // The demo account's runs, one of which fails, are no news.
  setLogLevel("silent");
  return seedDemoUser();
}

function wantedPort(): number {
  if (!isSet("PORT")) return PREFERRED_PORT;
  const { data, error } = integer(0, 65_535).safeParse(process.env.PORT?.trim());
  if (error) throw new Error(`PORT ${error.issues[0]?.message}`);
  return data;
}

/** Lets `npm run ledger` and other commands use this service, explicitly and in one line. */
function writeOperatorEnv(): void {
  // Not the mode: it would make commands print what only a developer wants to read.
  const names = listVariables().map(({ name }) => name);
  const all = names.filter((name) => name !== "NODE_ENV" && isSet(name));
  const quoted = (text = "") => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = all.map((name) => `${name}=${quoted(process.env[name])}`);
  writeFileSync(".data/dev.env", `${lines.join("\n")}\n`, { mode: 0o600 });
}

async function end(crash?: string): Promise<void> {
  if (ending) return;
  ending = true;
  if (crash) console.error(redactSecrets(crash));
  await supervisor.stopAll();
  if (hasOwnPostgres) {
    // A part that was killed couldn't stop its server.
    await stopAbandonedPostgres(POSTGRES_DIR).catch((error) => console.error(describeError(error)));
  }
  releaseClone();
  process.exit(crash ? 1 : 0);
}
