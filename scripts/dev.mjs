// `npm run dev`: the whole service on a fresh clone. Installs what is missing, then hands over.
import { ensureInstalled } from "./lib/ensure-installed.mjs";

// In plain JavaScript, so that `--help` installs nothing.
const HELP = `npm run dev

Runs the whole service on this machine: installs missing packages, starts stand-ins for whatever the
environment and .env don't name (PostgreSQL, an S3 store, image, text, payment and sign-in providers,
mail, the list of breached passwords), migrates, makes a demo user, serves.
Data is kept in .data/. Ctrl-C stops everything.

  PORT        the port to serve on (default 3000; any free one if it is taken, or with 0)
  PAYMENTS_PROVIDER
              the provider whose stand-in sells: stripe or creem (default stripe)
  --host      listen on every address, not only on this machine: anyone who can reach it can
              read the sources and sign in as the demo user
  --bot-challenge
              start a stand-in for the bot challenge, so that the forms ask for it
  -h, --help  print this`;

const args = process.argv.slice(2);
const unexpected = args.find(
  (argument) => !["--host", "--bot-challenge", "--help", "-h"].includes(argument),
);
if (unexpected !== undefined) {
  console.error(`dev: unexpected argument '${unexpected}' (--help says more)`);
  process.exitCode = 2;
} else if (args.includes("--help") || args.includes("-h")) {
  console.log(HELP);
} else {
  await ensureInstalled();
  const { register } = await import("tsx/esm/api");
  register();
  await import(new URL("./dev/main.ts", import.meta.url).href);
}
