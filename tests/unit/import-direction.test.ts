import { readdirSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { readFolder, type TextFile } from "../../scripts/lib/read-files";
import { descendants, lineOf, parseSource } from "../../scripts/validate/syntax-tree";

// Imports of app/ point one way. To allow or forbid one, change these two tables and AGENTS.md.

/** Paths from the project's folder without ending, or packages. A type counts, unless `types` is false. */
const RULES: { from: RegExp; not: RegExp; types?: false; why: string }[] = [
  {
    from: /^app\/models\//,
    not: /^app\/(routes|server|components)\/|^app\/root$|^@remix-run\/|^@?react-router(\/|$)/,
    why: "Models stand below routes and the HTTP layer: pass what they need as arguments.",
  },
  {
    from: /^app\/services\//,
    not: /^app\/(routes|server|components|models)\/|^app\/(root|db\.server)$|^@remix-run\/|^@?react-router(\/|$)/,
    why: "Services know the outside world only: no models, no database, no HTTP layer.",
  },
  {
    from: /^app\/((env|utils|i18n)\/|(catalog|public-pages|db\.server|env\.server)\.)/,
    not: /^app\/(routes|server|components|models|services)\/|^app\/root$/,
    why: "This is the ground everything stands on: it imports nothing above it.",
  },
  {
    from: /^app\/server\//,
    not: /^app\/routes\//,
    why: "The HTTP layer serves routes; it imports none.",
  },
  {
    from: /^app\/components\//,
    not: /^app\/routes\//,
    why: "Components know no route: pass what they need as properties.",
  },
  {
    from: /^app\/components\//,
    not: /^app\/.*\.server$/,
    types: false,
    why: "Components run in the browser: no server code, types aside.",
  },
];

/** The rooms of app/models/. A room imports those of lower floors only; files outside rooms import none. */
const FLOORS = [
  ["admin", "upkeep"],
  ["email-delivery"],
  ["accounts", "figures"],
  ["actions"],
  ["images", "text"],
  ["metering", "webhooks"],
  ["billing"],
  ["credits", "files", "emails"],
  ["jobs", "audit"],
];
const ROOMS_RULE = `Rooms stand in one order: ${FLOORS.map((rooms) => rooms.join(", ")).join(" → ")}.`;

const roomOf = (file: string) => /^app\/models\/([^/]+)\//.exec(file)?.[1];
const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));

/** Every import of a file that a rule forbids, with its place and the rule. */
function findForbidden({ file, text }: TextFile): string[] {
  const source = parseSource({ file, text });
  return [...descendants(source)].flatMap((node) => {
    const specifier = specifierOf(node);
    if (specifier === null) return [];
    const target = resolve(file, specifier);
    return rulesAgainst(file, target, isType(node)).map(
      (why) => `${file}:${lineOf(source, node)} imports ${specifier}. ${why}`,
    );
  });
}

function rulesAgainst(file: string, target: string, isOfType: boolean): string[] {
  const broken = RULES.filter(
    ({ from, not, types }) => from.test(file) && not.test(target) && !(isOfType && types === false),
  );
  const [own, other] = [roomOf(file), roomOf(target)];
  const isUphill =
    file.startsWith("app/models/") &&
    other !== undefined &&
    own !== other &&
    (own === undefined || floorOf(own) >= floorOf(other));
  return [...broken.map(({ why }) => why), ...(isUphill ? [ROOMS_RULE] : [])];
}

/** Lists the modules that an import, a re-export, `import(…)` or the type `import("…")` names. */
function specifierOf(node: ts.Node): string | null {
  const named =
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
        ? node.arguments[0]
        : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
          ? node.argument.literal
          : undefined;
  return named && ts.isStringLiteralLike(named) ? named.text : null;
}

function isType(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) return node.importClause?.isTypeOnly === true;
  return ts.isImportTypeNode(node) || (ts.isExportDeclaration(node) && node.isTypeOnly);
}

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith("~/")) return `app/${specifier.slice(2)}`;
  return specifier.startsWith(".")
    ? path.posix.join(path.posix.dirname(file), specifier)
    : specifier;
}

test("imports point one way", () => {
  const files = readFolder("app", /^app\/(?!generated\/).*\.(ts|tsx|mjs)$/);
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap(findForbidden)).toEqual([]);
});

test("every room of app/models/ has one floor", () => {
  const rooms = readdirSync("app/models", { withFileTypes: true }).filter((it) => it.isDirectory());
  expect(rooms.map(({ name }) => name).sort()).toEqual(FLOORS.flat().sort());
});

const FORBIDDEN = [
  ["app/models/a.server.ts", "~/routes/_index"],
  ["app/models/a.server.ts", "~/server/accounts/session.server"],
  ["app/models/a.server.ts", "../server/accounts/session.server"],
  ["app/models/a.server.ts", "~/components/logo"],
  ["app/models/a.server.ts", "~/root"],
  ["app/models/a.server.ts", "@remix-run/node"],
  ["app/models/credits/a.server.ts", "~/server/accounts/session.server"],
  ["app/models/credits/a.server.ts", "~/models/billing/orders.server"],
  ["app/models/files/a.server.ts", "~/models/credits/lots.server"],
  ["app/models/emails/a.server.ts", "~/models/accounts/users.server"],
  ["app/models/billing/a.server.ts", "~/models/webhooks/inbox.server"],
  ["app/models/billing/orders/a.server.ts", "../../accounts/users.server"],
  ["app/models/images/a.server.ts", "../accounts/users.server"],
  ["app/models/webhooks/a.server.ts", "~/models/images/generations.server"],
  ["app/models/accounts/a.server.ts", "~/models/email-delivery/send-emails.server"],
  ["app/models/email-delivery/a.server.ts", "~/models/upkeep/maintenance.server"],
  ["app/models/a.server.ts", "~/models/credits/lots.server"],
  ["app/services/storage/a.server.ts", "~/models/users.server"],
  ["app/services/storage/a.server.ts", "../../models/users.server"],
  ["app/services/storage/a.server.ts", "~/db.server"],
  ["app/utils/a.ts", "~/services/storage/content-types"],
  ["app/env/a.ts", "~/models/users.server"],
  ["app/db.server.ts", "./models/users.server"],
  ["app/catalog.ts", "~/server/openapi/document.server"],
  ["app/server/a.server.ts", "~/routes/_index"],
  ["app/components/a.tsx", "~/routes/_index"],
  ["app/components/a.tsx", "~/models/users.server"],
] as const;

test.each(FORBIDDEN)("%s may not import %s", (file, target) => {
  const forms = [
    `import { a } from "${target}";`,
    `import "${target}";`,
    `export * from "${target}";`,
    `const a = await import("${target}");`,
  ];
  for (const text of forms) {
    expect(findForbidden({ file, text })).toEqual([
      expect.stringMatching(`^${file}:1 imports ${target}. [A-Z].+[.]$`),
    ]);
  }
});

test("each rule forbids one of these", () => {
  const broken = FORBIDDEN.flatMap(([file, to]) => rulesAgainst(file, resolve(file, to), false));
  expect(new Set(broken)).toEqual(new Set([...RULES.map(({ why }) => why), ROOMS_RULE]));
});

test.each([
  'import type { A } from "~/server/a.server"',
  'export type { A } from "~/server/a.server"',
  'type A = import("~/server/a.server").A',
])("a model may not take a type from above: %s", (text) => {
  expect(findForbidden({ file: "app/models/a.server.ts", text })).toHaveLength(1);
});

test.each([
  ["app/routes/a.tsx", "~/models/users.server"],
  ["app/models/a.server.ts", "~/db.server"],
  ["app/models/a.server.ts", "~/services/storage/s3-store.server"],
  ["app/models/images/a.server.ts", "~/models/billing/orders.server"],
  ["app/models/billing/a.server.ts", "~/models/credits/lots.server"],
  ["app/models/billing/a.server.ts", "~/models/emails/outbox.server"],
  ["app/models/billing/orders/a.server.ts", "../periods/months"],
  ["app/models/accounts/a.server.ts", "~/models/images/generations.server"],
  ["app/models/email-delivery/a.server.ts", "~/models/accounts/users.server"],
  ["app/models/upkeep/a.server.ts", "~/models/accounts/sessions.server"],
  ["app/models/upkeep/a.server.ts", "~/models/row-pages.server"],
  ["app/services/auth/a.server.ts", "@simplewebauthn/server/helpers"],
  ["app/services/storage/a.server.ts", "~/env.server"],
  ["app/components/a.tsx", "~/services/storage/content-types"],
])("%s may import %s", (file, target) => {
  expect(findForbidden({ file, text: `import { a } from "${target}";` })).toEqual([]);
});

test("a component may take a type of the server", () => {
  const text = 'import type { User } from "~/models/accounts/users.server";';
  expect(findForbidden({ file: "app/components/a.tsx", text })).toEqual([]);
});
