import { STATUS_CODES } from "node:http";
import type { openApiDocument } from "~/server/openapi/document.server";

/** The document whose part between two comments is made from the OpenAPI document. */
export const HTTP_DOC = "docs/http-api.md";

const BEGIN =
  "<!-- Written by `npm run validate:docs -- --write` from app/server/openapi/, up to the next comment: change that, not this. -->";
const END = "<!-- Until here. -->";

type Document = Pick<ReturnType<typeof openApiDocument>, "paths" | "tags">;
type Operation = NonNullable<NonNullable<Document["paths"]>[string]["get"]>;
type Body = { content?: Record<string, { examples?: Record<string, { value?: unknown }> }> };

interface Described {
  method: string;
  address: string;
  operation: Operation;
}

/** Returns the page with its operations written anew; what stands around them is kept. */
export function withOperations(page: string, document: Document): string {
  const [head, rest] = page.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (tail === undefined) throw new Error(`${HTTP_DOC} lacks the comment ${BEGIN} or ${END}`);
  return [head, BEGIN, "\n\n", renderOperations(document), "\n\n", END, tail].join("");
}

function renderOperations({ paths, tags }: Document): string {
  const operations = Object.entries(paths ?? {}).flatMap(([address, item]) =>
    Object.entries(item as Record<string, Operation>).map(
      ([method, operation]): Described => ({ method: method.toUpperCase(), address, operation }),
    ),
  );
  const parts = (tags ?? []).map(({ name, description }) => [
    `## ${name}`,
    description,
    ...operations
      .filter(({ operation }) => operation.tags?.includes(name))
      .map((described) => renderOperation(described, commonErrors(operations))),
  ]);
  return parts.flat().join("\n\n");
}

function renderOperation(
  { method, address, operation }: Described,
  common: ReadonlySet<string>,
): string {
  const { summary, description, parameters, responses } = operation;
  const headers = (parameters ?? []).flatMap((it) =>
    "in" in it && it.in === "header" && it.description
      ? [`- \`${it.name}\`: ${it.description}`]
      : [],
  );
  const successes = Object.entries(responses ?? {})
    .filter(([status]) => Number(status) < 400)
    .map(
      ([status, response]) =>
        `- ${status}: ${"description" in response ? response.description : ""}`,
    );
  const errors = errorsOf(operation)
    .filter(({ code }) => !common.has(code))
    .map(({ status, code }) => `${status} \`${code}\``);
  return [
    `### ${method} ${address}`,
    `${summary}.${description ? ` ${description}` : ""}`,
    [...headers, ...successes, ...(errors.length > 0 ? [`- Errors: ${errors.join(", ")}`] : [])],
    ...renderExamples({ method, address, operation }),
  ]
    .map((block) => (typeof block === "string" ? block : block.join("\n")))
    .join("\n\n");
}

/** A request with the responses that it can get; a request like the last one is not shown again. */
function renderExamples({ method, address, operation }: Described): string[] {
  const bodies = examplesOf(operation.requestBody as Body);
  const replies = Object.entries(operation.responses ?? {}).flatMap(([status, response]) =>
    Object.entries(examplesOf(response as Body)).map(([name, value]) => ({
      name,
      status: Number(status),
      type: Object.keys((response as Body).content ?? {})[0],
      value,
    })),
  );
  const order = Object.keys(bodies);
  replies.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  let shown = "";
  return replies.flatMap(({ name, status, type, value }) => {
    const request = message(`${method} ${address}`, "application/json", bodies[name]);
    const response = message(`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, type, value);
    const isShown = request === shown;
    shown = request;
    return isShown ? [response] : [request, response];
  });
}

function examplesOf(body: Body | undefined): Record<string, unknown> {
  const [media] = Object.values(body?.content ?? {});
  return Object.fromEntries(
    Object.entries(media?.examples ?? {}).map(([name, { value }]) => [name, value]),
  );
}

function message(start: string, type: string | undefined, value: unknown): string {
  const body =
    value === undefined ? [] : [`Content-Type: ${type}`, "", JSON.stringify(value, null, 2)];
  return ["```http", start, ...body, "```"].join("\n");
}

/** A response's description names its codes in backticks; those of a success are no codes. */
function errorsOf({ responses }: Operation): { status: string; code: string }[] {
  return Object.entries(responses ?? {})
    .filter(([status, response]) => Number(status) >= 400 && "description" in response)
    .flatMap(([status, response]) =>
      [...(response as { description: string }).description.matchAll(/`(\w+)`/g)].map(
        ([, code = ""]) => ({ status, code }),
      ),
    );
}

/** The errors of every operation, or of every one that changes something; the page's head tells of them. */
function commonErrors(operations: Described[]): ReadonlySet<string> {
  const codes = ({ operation }: Described) => errorsOf(operation).map(({ code }) => code);
  const changing = operations.filter(({ method }) => method !== "GET");
  const isIn = (some: Described[], code: string) => some.every((one) => codes(one).includes(code));
  return new Set(
    operations.flatMap(codes).filter((code) => isIn(operations, code) || isIn(changing, code)),
  );
}
