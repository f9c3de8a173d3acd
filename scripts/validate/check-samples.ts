import { STATUS_CODES } from "node:http";
import type { HttpSample } from "./http-sample";
import { findSamples } from "./http-samples";
import { checkJson } from "./json-sample";
import type { Doc } from "./markdown";
import type { Problem } from "./problem";

type Schema = Parameters<typeof checkJson>[1];
type Content = Record<string, { schema?: unknown }>;

interface Operation {
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

/** The part of an OpenAPI document that samples are checked against. */
export interface Interface {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, unknown> };
}

const HTTP_DOC = "docs/http-api.md";

/** Headers of HTTP itself; others must be in the operation's parameters. */
const STANDARD_HEADERS = ["host", "accept", "authorization", "content-type", "cookie", "origin"];

/** Finds samples that don't match the interface, and operations without a sample in HTTP_DOC. */
export function checkSamples({ docs, api }: { docs: Doc[]; api: Interface }): Problem[] {
  const samples = docs.flatMap(findSamples).filter(({ target }) => isInterface(target, api));
  const shown = new Set(
    samples
      .filter(({ file, answer }) => file === HTTP_DOC && answer !== null)
      .map(({ method, target }) => `${method} ${findPath(target, api)}`),
  );
  const operations = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const found = samples.flatMap((sample) => checkSample(sample, api));
  return [
    // A request with several answers is checked once per answer.
    ...new Map(found.map((problem) => [`${problem.line} ${problem.text}`, problem])).values(),
    ...operations
      .filter((operation) => !shown.has(operation))
      .map((operation) => ({
        file: HTTP_DOC,
        line: 1,
        text: `shows no request and response of ${operation}: add them as two http blocks`,
      })),
  ];
}

/** Pages have addresses too, but aren't in the OpenAPI document. */
function isInterface(target: string, api: Interface): boolean {
  return target.startsWith("/api/") || findPath(target, api) !== null;
}

function checkSample(sample: HttpSample, api: Interface): Problem[] {
  const { file, line, method, target } = sample;
  const at = (text: string, of = line) => ({
    file,
    line: of,
    text: `${method} ${target}: ${text}`,
  });
  const path = findPath(target, api);
  const operation = path === null ? undefined : api.paths[path]?.[method.toLowerCase()];
  if (!operation)
    return [at(path ? "the route does not take this method" : "there is no such route")];
  return [
    ...checkRequest(sample, operation, api).map((text) => at(text)),
    ...checkAnswer(sample, operation, api).map((text) => at(text, sample.answer?.line)),
  ];
}

function checkRequest(
  { target, headers, body, answer }: HttpSample,
  operation: Operation,
  api: Interface,
) {
  const names = (where: string) =>
    (operation.parameters ?? []).filter((it) => it.in === where).map((it) => it.name.toLowerCase());
  const queries = [...new URL(target, "http://x").searchParams.keys()];
  const faults = [
    ...queries
      .filter((name) => !names("query").includes(name.toLowerCase()))
      .map((name) => `there is no query parameter ${name}`),
    ...Object.keys(headers)
      .filter((name) => ![...STANDARD_HEADERS, ...names("header")].includes(name))
      .map((name) => `the header ${name} means nothing there`),
  ];
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (!schema) return body === null ? faults : [...faults, "it takes no body"];
  if (body === null) return [...faults, "the body is missing"];
  // A sample with a 400 response is wrong on purpose.
  if (answer?.status === 400) return faults;
  if (headers["content-type"] !== "application/json")
    faults.push("the body needs Content-Type: application/json");
  // The server ignores unknown fields, but in a sample they are mistakes.
  const strict = { additionalProperties: false, ...(schema as object) };
  return [...faults, ...checkJson(body, withComponents(strict, api))];
}

function checkAnswer({ answer }: HttpSample, operation: Operation, api: Interface): string[] {
  if (!answer) return [];
  const { status, contentType, body } = answer;
  const described = operation.responses[status];
  if (!described) return [`status ${status} is not documented`];
  if (!described.content) return body === null ? [] : [`status ${status} has no body`];
  const [type = "", { schema } = {}] = Object.entries(described.content)[0] ?? [];
  if (contentType !== type) return [`status ${status} has the content type ${type}`];
  if (body === null) return [`status ${status} has a body`];
  const faults = checkJson(body, withComponents(schema as object, api));
  return type === "application/problem+json" && faults.length === 0
    ? checkProblem(status, body, described.description)
    : faults;
}

/** A code is documented for a status if the status's description has it in backticks. */
function checkProblem(status: number, body: string, description: string): string[] {
  const problem = JSON.parse(body) as { status: number; title: string; code: string };
  const faults: string[] = [];
  if (problem.status !== status) faults.push(`the body says status ${problem.status}`);
  if (problem.title !== STATUS_CODES[status]) faults.push(`the title is ${STATUS_CODES[status]}`);
  if (!description.includes(`\`${problem.code}\``))
    faults.push(`${problem.code} is not a code of status ${status}`);
  return faults;
}

/** Returns the OpenAPI path of an address: `/api/storage/files/{fileId}`. */
function findPath(target: string, api: Interface): string | null {
  const parts = (target.split("?")[0] ?? "").split("/");
  const matches = (path: string) => {
    const wanted = path.split("/");
    return (
      wanted.length === parts.length &&
      wanted.every((part, at) => part === parts[at] || (/^\{.+\}$/.test(part) && parts[at] !== ""))
    );
  };
  return Object.keys(api.paths).find(matches) ?? null;
}

/** References point into the schema itself, because a single schema has no components. */
function withComponents(schema: object, { components }: Interface): Schema {
  const text = JSON.stringify({ ...schema, $defs: components?.schemas ?? {} });
  return JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")) as Schema;
}
