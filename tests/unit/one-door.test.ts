import ts from "typescript";
import { expect, test } from "vitest";
import { COMMANDS } from "../../scripts/commands.mjs";
import { readFolder, readText, type TextFile } from "../../scripts/lib/read-files";
import { descendants, lineOf, parseSource } from "../../scripts/validate/syntax-tree";
import { importClosure } from "../helpers/import-closure";

// Nothing in what production runs calls anybody but through app/services/outgoing/.

const DOOR = "app/services/outgoing/";
/** They run in browsers only. */
const BROWSER = "app/components/";

/** Globals that connect somewhere. */
const GLOBALS = ["fetch", "WebSocket", "EventSource", "XMLHttpRequest"];

/** Node's modules that can connect, with their names that cannot. */
const NETWORK: Record<string, string[]> = {
  http: ["createServer", "IncomingMessage", "ServerResponse", "STATUS_CODES"],
  https: ["createServer"],
  http2: [],
  net: ["createServer", "isIP", "isIPv4", "isIPv6"],
  tls: [],
  dns: [],
  "dns/promises": [],
  dgram: [],
};

/** Packages that connect by themselves, and the only files that may load them. */
const CLIENTS: Record<string, RegExp> = {
  undici: /^$/,
  // Each has one address, from a variable.
  nodemailer:
    /^(app\/services\/emails\/smtp-sender\.server|scripts\/preflight\/online\/email-online)\.ts$/,
  pg: /^(app\/db\.server|scripts\/db\/[\w-]+|scripts\/preflight\/[\w-]+)\.ts$/,
  "@prisma/adapter-pg": /^app\/db\.server\.ts$/,
  // They are given what the door has.
  stripe: /^app\/services\/payments\/stripe\/stripe-(client|signature)\.server\.ts$/,
  "@aws-sdk/client-s3": /^app\/services\/storage\/(s3-store|presigner)\.server\.ts$/,
};

/** Names that connect nothing by themselves: the address of a response's socket, for its class. */
const EXCEPTIONS = new Set(["app/server/http/security-headers.server.ts: Socket of net"]);

/** Every place in a file that could connect to something. */
function findConnections({ file, text }: TextFile): string[] {
  const source = parseSource({ file, text });
  const found: string[] = [];
  const report = (node: ts.Node, what: string) => {
    if (!EXCEPTIONS.has(`${file}: ${what}`)) found.push(`${file}:${lineOf(source, node)} ${what}`);
  };
  const judgeModule = (node: ts.Node, specifier: string, names: string[] | "all") => {
    const name = specifier.replace(/^node:/, "");
    const harmless = NETWORK[name];
    const allowed = CLIENTS[name];
    if (allowed && !allowed.test(file)) report(node, name);
    if (!harmless) return;
    const taken = names === "all" ? ["everything"] : names;
    for (const one of taken.filter((it) => !harmless.includes(it)))
      report(node, `${one} of ${name}`);
  };

  for (const node of descendants(source)) {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const { importClause } = node;
      if (importClause?.isTypeOnly) continue;
      const bindings = importClause?.namedBindings;
      const isWhole = importClause?.name || (bindings && ts.isNamespaceImport(bindings));
      const named =
        bindings && ts.isNamedImports(bindings)
          ? bindings.elements.filter(({ isTypeOnly }) => !isTypeOnly)
          : [];
      if (!isWhole && named.length === 0 && importClause) continue;
      const names = named.map(({ name, propertyName }) => (propertyName ?? name).text);
      judgeModule(node, node.moduleSpecifier.text, isWhole ? "all" : names);
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      if (ts.isStringLiteral(node.moduleSpecifier) && !node.isTypeOnly)
        judgeModule(node, node.moduleSpecifier.text, "all");
    } else if (ts.isCallExpression(node)) {
      const [first] = node.arguments;
      const isLoad =
        node.expression.kind === ts.SyntaxKind.ImportKeyword ||
        (ts.isIdentifier(node.expression) && node.expression.text === "require");
      if (isLoad && first && ts.isStringLiteral(first)) judgeModule(node, first.text, "all");
      else for (const one of [node.expression, ...node.arguments]) judgeGlobal(one);
    } else if (ts.isNewExpression(node)) {
      judgeGlobal(node.expression);
    } else if (ts.isVariableDeclaration(node) && node.initializer) {
      judgeGlobal(node.initializer);
    } else if (ts.isPropertyAccessExpression(node)) {
      const { expression, name } = node;
      const isGlobal =
        ts.isIdentifier(expression) && ["globalThis", "global"].includes(expression.text);
      if (isGlobal) judgeGlobal(name);
    }
  }
  return found;

  function judgeGlobal(node: ts.Node): void {
    if (ts.isIdentifier(node) && GLOBALS.includes(node.text)) report(node, node.text);
  }
}

const isOurs = (file: string) => !file.startsWith(DOOR) && !file.startsWith(BROWSER);

/** The server's code, and that of every program of production. */
function listFiles(): TextFile[] {
  const server = readFolder("app", /^app\/(?!generated\/).*\.(ts|tsx|mjs)$/).map(
    ({ file }) => file,
  );
  const programs = [...importClosure(Object.values(COMMANDS))];
  const files = [...new Set([...server, ...programs])];
  return files.filter((file) => isOurs(file) && !/\.test\.tsx?$|\.d\.ts$/.test(file)).map(readText);
}

test("nothing that production runs can connect to anything, but through the door", () => {
  const files = listFiles();
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap(findConnections)).toEqual([]);
});

test.each([
  ["fetch(url)", "fetch"],
  ["const get = globalThis.fetch", "fetch"],
  ["const client = createClient(fetch)", "fetch"],
  ["const get = fetch", "fetch"],
  ["new WebSocket(url)", "WebSocket"],
  ['import http from "node:http"', "everything of http"],
  ['import * as https from "https"', "everything of https"],
  ['import { createServer, request } from "node:http"', "request of http"],
  ['import { lookup as find } from "node:dns/promises"', "lookup of dns/promises"],
  ['export { connect } from "node:tls"', "everything of tls"],
  ['const net = await import("node:net")', "everything of net"],
  ['const { request } = require("http")', "everything of http"],
  ['import { fetch as get } from "undici"', "undici"],
  ['import nodemailer from "nodemailer"', "nodemailer"],
  ['import Stripe from "stripe"', "stripe"],
])("%s is found", (text, what) => {
  expect(findConnections({ file: "app/a.ts", text })).toEqual([`app/a.ts:1 ${what}`]);
});

test.each([
  'import { createServer } from "node:http"',
  'import type http from "node:http"',
  'import { type Agent, STATUS_CODES } from "node:http"',
  'import type Stripe from "stripe"',
  "const call = outgoingFetch('site'); call(url)",
  "person.fetch(path)",
  "type Fetch = typeof globalThis.fetch",
])("%s is nothing", (text) => {
  expect(findConnections({ file: "app/a.ts", text })).toEqual([]);
});
