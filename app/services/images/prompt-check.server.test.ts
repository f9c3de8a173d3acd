import http from "node:http";
import { expect, test } from "vitest";
import { listenLocally } from "#tests/helpers/local-server";
import { type CheckPrompt, selectPromptCheck } from "~/services/images/prompt-check.server";
import { allowAddresses } from "~/services/outgoing/allowed-origins.server";
import { AppError } from "~/utils/app-error";

const PROMPT = "secret cat";
const INPUT = { prompt: PROMPT, externalId: "generation-1" };

interface Received {
  url: string | undefined;
  apiKey: unknown;
  body: unknown;
}

function requireCheck(...[payments]: Parameters<typeof selectPromptCheck>): CheckPrompt {
  const checkPrompt = selectPromptCheck(payments);
  if (!checkPrompt) throw new Error("no check was selected");
  return checkPrompt;
}

/** The check against a Creem server with this response, and the requests that server received. */
async function createCheck(reply: (response: http.ServerResponse) => void) {
  const received: Received[] = [];
  const server = http.createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    received.push({
      url: `${request.method} ${request.url}`,
      apiKey: request.headers["x-api-key"],
      body: JSON.parse(text),
    });
    reply(response);
  });
  const apiBase = `http://127.0.0.1:${await listenLocally(server)}`;
  allowAddresses({ promptCheck: [apiBase] });
  const checkPrompt = requireCheck({
    enabled: true,
    provider: "creem",
    creem: {
      apiKey: "creem_test_key",
      apiBase,
      timeoutMs: 5_000,
    },
  });
  return { checkPrompt, received };
}

const decide = (decision: string) => (response: http.ServerResponse) => {
  response.end(JSON.stringify({ id: "mod_1", prompt: PROMPT, decision }));
};

test.each([
  ["allow", "allowed"],
  ["flag", "rejected"],
  ["deny", "rejected"],
])("Creem's response %s is %s", async (decision, verdict) => {
  const { checkPrompt, received } = await createCheck(decide(decision));
  expect(await checkPrompt(INPUT)).toBe(verdict);
  expect(received).toEqual([
    {
      url: "POST /v1/moderation/prompt",
      apiKey: "creem_test_key",
      body: { prompt: PROMPT, external_id: "generation-1" },
    },
  ]);
});

test.each<[string, (response: http.ServerResponse) => void]>([
  ["a fault of its own", (response) => response.writeHead(500).end()],
  ["a rejected key", (response) => response.writeHead(401).end("{}")],
  ["an unknown decision", decide("maybe")],
  ["no decision", (response) => response.end("{}")],
  ["a response that is no JSON", (response) => response.end(`<${PROMPT}>`)],
  ["a redirect", (response) => response.writeHead(302, { Location: "/elsewhere" }).end()],
  ["a closed connection", (response) => response.destroy()],
  ["silence", () => undefined],
])("%s lets nothing through, and the error does not repeat the prompt", async (_what, reply) => {
  const { checkPrompt, received } = await createCheck(reply);
  const error = await checkPrompt(INPUT).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: "generation_unavailable", status: 500 });
  for (let it = error; it instanceof Error; it = it.cause) expect(it.stack).not.toContain(PROMPT);
  expect(received).toHaveLength(1);
});

test("without a key nothing is let through", async () => {
  const creem = { apiKey: null, apiBase: "http://127.0.0.1:1" };
  const checkPrompt = requireCheck({ enabled: true, provider: "creem", creem });
  await expect(checkPrompt(INPUT)).rejects.toBeInstanceOf(AppError);
});

test.each([
  { enabled: true, provider: "stripe" },
  { enabled: true, provider: null },
  { enabled: false, provider: "creem" },
] as const)("Creem is not asked if it does not collect payments: %o", async (payments) => {
  const creem = { apiKey: "creem_test_key", apiBase: "http://127.0.0.1:1" };
  expect(selectPromptCheck({ ...payments, creem })).toBeNull();
});
