// `npm run dev`: the whole service on a fresh clone. Installs what is missing, then hands over.
import { ensureInstalled } from "./lib/ensure-installed.mjs";

// Here, in plain JavaScript, so that asking for help installs nothing.
const HELP = `npm run dev

Runs the whole service on this machine: installs missing packages, starts a PostgreSQL, an S3 store,
image and payment providers unless the environment or .env names others, migrates, makes a demo user,
serves.
Data is kept in .data/. Ctrl-C stops everything.

  PORT        the port to serve on (default 3000; any free one if it is taken, or with 0)
  PAYMENTS_PROVIDER
              creem: buy at its stand-in (default stripe)
  -h, --help  print this`;

const [argument] = process.argv.slice(2);
if (argument === "--help" || argument === "-h") {
  console.log(HELP);
} else if (argument !== undefined) {
  console.error(`dev: unexpected argument '${argument}' (--help says more)`);
  process.exitCode = 2;
} else {
  ensureInstalled();
  const { register } = await import("tsx/esm/api");
  register();
  await import(new URL("./dev/main.ts", import.meta.url).href);
}
