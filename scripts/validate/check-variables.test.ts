import { expect, test } from "vitest";
import { checkVariables } from "./check-variables";
import { parseDoc } from "./markdown";

const VARIABLES = [
  { name: "PORT", alias: null },
  { name: "PROVIDER_A_SECRET_KEY", alias: "STRIPE_SECRET_KEY" },
  { name: "IMAGE_PROVIDER_1_KEY", alias: "FAL_KEY" },
  { name: "IMAGE_PROVIDER_2_KEY", alias: "REPLICATE_API_TOKEN" },
];

/** Returns the names reported as unknown. */
function findUnknown(text: string): string[] {
  const docs = [parseDoc({ file: "README.md", text })];
  return checkVariables({ docs, variables: VARIABLES })
    .filter(({ file }) => file === "README.md")
    .map(({ text: problem }) => /^variable (\S+) does not exist/.exec(problem)?.[1] ?? problem);
}

test.each([
  "`PORT=0`, `STRIPE_SECRET_KEY` and `PROVIDER_A_SECRET_KEY=sk_1`",
  "`CHROMIUM_PATH`, `CI=1`",
  "`STRIPE_*`, `PROVIDER_A_`, `_KEY`, `…_API_TOKEN`, `IMAGE_PROVIDER_{1,2}_KEY`, `IMAGE_PROVIDER_<n>_KEY`",
  "`PROVIDER_A_PRICE_ENTERPRISE_MONTHLY`, `…_LANDING_…`",
  "`GET`, `SVG`, `ON CONFLICT DO NOTHING`, `POST /api/storage/upload`, `__Host-session`, `price_…`",
  "`$UPLOAD_URL`, `--from <OLD_VERSION>`, `prisma/migrations/NNNN_name.sql`",
  "NO_CODE at all",
  '```sh\nUPLOAD_URL=$(curl -s http://localhost)\ncurl "$UPLOAD_URL"\nPORT=1 npm run dev\n```',
  "```ts\nconst MAX_BYTES = 1; A_B=2\n```",
])("%s is known", (text) => {
  expect(findUnknown(text)).toEqual([]);
});

test.each([
  ["`DATABASE_URI`", "DATABASE_URI"],
  ["`PROT=3001`", "PROT"],
  ["`CREEM_*`", "CREEM_*"],
  ["`…_SECRET`", "…_SECRET"],
  ["`IMAGE_PROVIDER_{1,3}`", "IMAGE_PROVIDER_{1,3}"],
  ["`PROVIDER_C_`", "PROVIDER_C_"],
  ["```sh\nexport FAL_KEYS=1\n```", "FAL_KEYS"],
  ["```sh\nPORT=1 PROT=2 npm start\n```", "PROT"],
  ["```dotenv\n# FAL_KYE=\n```", "FAL_KYE"],
])("%s is not", (text, name) => {
  expect(findUnknown(text)).toEqual([name]);
});

test("an unknown name is reported on its line", () => {
  const docs = [parseDoc({ file: "docs/a.md", text: "`PORT`\n\n```env\nPORT=1\nA_B=2\n```" })];
  expect(checkVariables({ docs, variables: VARIABLES.slice(0, 1) })).toEqual([
    { file: "docs/a.md", line: 5, text: expect.stringContaining("variable A_B does not exist") },
  ]);
});

test("a variable that only README.md names, or a longer name holds, is not documented", () => {
  const docs = [
    parseDoc({ file: "README.md", text: "`PORT`" }),
    parseDoc({ file: "docs/a.md", text: "PORT, `FAL_KEY`" }),
  ];
  const variables = [
    { name: "PORT", alias: null },
    { name: "KEY", alias: "FAL_KEY" },
  ];
  expect(checkVariables({ docs, variables }).map(({ text }) => text)).toEqual([
    "variable PORT is not documented: run npm run validate:docs -- --write",
    "variable KEY is not documented: run npm run validate:docs -- --write",
  ]);
});
