import { listVariables } from "~/env.server";

type Variable = ReturnType<typeof listVariables>[number];

export const CONFIGURATION_DOC = "docs/configuration.md";

const INTRO = `# Configuration

<!-- Written by \`npm run validate:docs -- --write\` from the tables in app/env/: change those, not this. -->

Everything is set by environment variables, or in a file \`.env\` beside \`package.json\`; the real environment
wins. A blank value counts as unset. Where a variable has an alias, either name works, and two different values are
an error. \`npm run dev\` needs none of this: it uses local stand-ins for unset variables.

The server does not start, and lists every fault in one message, when a required variable is unset, a value is
malformed, two names of one variable disagree, only some of the four storage values are set, or a sandbox key is
used on a public site. A capability that is on but incomplete is logged as a warning at start and is
unavailable until it is complete; one that is off needs none of its variables.`;

const GROUPS: Record<Variable["group"], { title: string; text: string }> = {
  service: {
    title: "The service",
    text: "`DATABASE_URL`, `AUTH_SECRET` and `NEXT_PUBLIC_SITE_URL` are the only required variables. Times are in seconds.",
  },
  storage: {
    title: "Storage",
    text: "Off until `S3_ENDPOINT`, `S3_ACCESS_KEY_ID`, `S3_SECRET_ACCESS_KEY` and `S3_BUCKET_NAME` are set: all four or none.",
  },
  images: {
    title: "Image generation",
    text: "Off until `NEXT_PUBLIC_ENABLE_IMAGE_GENERATION` is `true`. It then needs the key of the provider that `IMAGE_PROVIDER` names, or of at least one if that is unset.",
  },
  text: {
    title: "Text generation",
    text: "Off until `NEXT_PUBLIC_ENABLE_TEXT_GENERATION` is `true`. It then needs `TEXT_PROVIDER_KEY` and `TEXT_PROVIDER_MODEL`, at any OpenAI-compatible endpoint.",
  },
  payments: {
    title: "Payments",
    text: "Off until `NEXT_PUBLIC_ENABLE_PAYMENTS` is `true`. They then need `PAYMENTS_PROVIDER` with that provider's API key and webhook secret, all from one mode, test or live. An item without a price or product cannot be bought. Names that begin with `PROVIDER_A_PRICE_` or `PROVIDER_B_PRODUCT_` and hold the word `ENTERPRISE` or `LANDING` are reserved: their form is checked, and nothing offers them.",
  },
  accounts: {
    title: "Accounts",
    text: "GitHub sign-in, Google sign-in, the bot challenge and email: each is on once both of its values are set. New passwords are checked for known breaches by the first 5 characters of their SHA-1; nothing else of them leaves the server.",
  },
};

/** Returns the text of docs/configuration.md: every known variable, by group. */
export function renderConfigurationDoc(variables: Variable[] = listVariables()): string {
  const groups = Object.entries(GROUPS).map(([group, { title, text }]) => {
    const table = renderTable(variables.filter((variable) => variable.group === group));
    return [`## ${title}`, text, table].join("\n\n");
  });
  return `${[INTRO, ...groups].join("\n\n")}\n`;
}

/** Leaves out the alias column if no variable has one. */
function renderTable(variables: Variable[]): string {
  const hasAlias = variables.some(({ alias }) => alias !== null);
  const rows = variables.map(({ name, required, defaultText, alias, description, secret }) => [
    `\`${name}\``,
    required ? "**required**" : defaultText === null ? "–" : `\`${defaultText}\``,
    ...(hasAlias ? [alias ? `\`${alias}\`` : ""] : []),
    escapeCell(description) + (secret ? " **Secret.**" : ""),
  ]);
  const head = ["Variable", "When unset", ...(hasAlias ? ["Alias"] : []), "What it is"];
  return layOut(head, rows);
}

/** Pads columns to their longest cell, so that the formatter changes nothing. */
function layOut(head: string[], rows: string[][]): string {
  const widths = head.map((title, at) =>
    Math.max(title.length, ...rows.map((cells) => cells[at]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const rule = widths.map((width) => "-".repeat(width));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

/** Escapes a plain-text description, so that nothing in it ends the cell or becomes markup. */
function escapeCell(text: string): string {
  return text.replaceAll(/[\\|<>*_[\]]/g, String.raw`\$&`);
}
