import { readdirSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import type { z } from "zod";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { ROUTE_LIMITS } from "~/server/limits/route-limits";
import { creditsSchema } from "~/server/openapi/credits-responses";
import { generationSchema } from "~/server/openapi/image-responses";
import { runSchema, runsSchema } from "~/server/openapi/run-responses";
import {
  fileListSchema,
  fileSchema,
  uploadResponseSchema,
} from "~/server/openapi/storage-responses";
import packageJson from "../../../package.json";
import { signUp } from "../../helpers/client";
import { giveCredits } from "../../helpers/ledger";
import { putObject, requestUpload } from "../../helpers/upload";
import { withImageServer } from "../../helpers/with-image-server";

const app = withImageServer();

type Paths = Record<string, Record<string, unknown>>;
const document = async () =>
  (await (await fetch(`${app.url}/api/openapi.json`)).json()) as { info: object; paths: Paths };

/**
 * Returns the address of a flat-routes file: `api.storage.files.$fileId.ts` →
 * `/api/storage/files/{fileId}`.
 */
const addressOf = (file: string) =>
  `/${file
    .replace(/(\._index)?\.ts$/, "")
    .replaceAll("[.]", "\0")
    .replaceAll(".", "/")
    .replaceAll("\0", ".")
    .replace(/\$(\w+)/g, "{$1}")}`;

const ROUTES = readdirSync("app/routes")
  .filter((file) => /^(api\.|healthz|readyz)/.test(file) && file !== "api.$.ts")
  .map(addressOf);

test("the document is valid OpenAPI 3.1 and carries the package's version", async () => {
  const served = await document();
  const validator = new Validator();
  expect(await validator.validate(served)).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
  expect(served.info).toMatchObject({ version: packageJson.version });
});

test("an operation documents 429 if its route has a limit, and names each code once", async () => {
  const { paths } = await document();
  for (const [address, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations)) {
      const { responses } = operation as { responses: Record<string, { description: string }> };
      const limit = ROUTE_LIMITS[`${method.toUpperCase()} ${address}`];
      const isLimited = limit !== undefined && "limits" in limit;
      const documented = responses["429"]?.description.includes("`rate_limited`") ?? false;
      expect([method, address, documented]).toEqual([method, address, isLimited]);
      for (const { description } of Object.values(responses)) {
        const codes = description.match(/`[a-z_]+`/g) ?? [];
        expect([method, address, codes]).toEqual([method, address, [...new Set(codes)]]);
      }
    }
});

test("a client that has the document gets a 304, and must revalidate each time", async () => {
  const ask = (headers: HeadersInit) => fetch(`${app.url}/api/openapi.json`, { headers });
  const first = await ask({});
  const etag = first.headers.get("etag") ?? "";
  expect(first.headers.get("cache-control")).toBe("no-cache");
  const again = await ask({ "If-None-Match": `"other", ${etag}` });
  expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""]);
  const changed = await ask({ "If-None-Match": '"other"' });
  expect([changed.status, await changed.json()]).toEqual([200, await first.json()]);
});

test("it documents every resource route, and nothing else", async () => {
  expect(Object.keys((await document()).paths).sort()).toEqual([...ROUTES].sort());
});

test.each(ROUTES)("it documents exactly the methods that %s accepts", async (address) => {
  // No route accepts PATCH, so the response lists the methods that each does accept.
  const response = await fetch(app.url + address.replace(/\{\w+\}/g, "x"), { method: "PATCH" });
  const responded = (response.headers.get("allow") ?? "").toLowerCase().split(", ");
  const documented = Object.keys((await document()).paths[address] ?? {});
  expect(documented.sort()).toEqual(responded.filter((method) => method !== "head").sort());
});

test("every operation lists the common responses and requires the body it reads", async () => {
  for (const [address, operations] of Object.entries((await document()).paths)) {
    for (const [method, described] of Object.entries(operations)) {
      const { responses, requestBody } = described as {
        responses: Record<string, { description: string }>;
        requestBody?: { required: boolean };
      };
      const codes = Object.values(responses).map(({ description }) => description);
      const said = (code: string) => codes.some((text) => text.includes(`\`${code}\``));
      expect([address, method, said("internal_error"), said("method_not_allowed")]).toEqual([
        address,
        method,
        true,
        true,
      ]);
      expect([address, method, said("cross_origin")]).toEqual([address, method, method !== "get"]);
      if (requestBody) expect(requestBody.required).toBe(true);
    }
  }
});

const strictly = (schema: z.ZodObject) => schema.strict();

test("the storage routes return exactly the documented fields", async () => {
  const client = await signUp(app.url);
  const upload = await requestUpload(client);
  strictly(uploadResponseSchema).parse(upload);
  const { fileId } = upload;
  const pending = await client.json("GET", "/api/storage/files");
  strictly(fileListSchema.extend({ files: strictly(fileSchema).array().length(1) })).parse(
    pending.body,
  );
  await putObject(upload);
  strictly(fileSchema).parse((await client.json("POST", "/api/storage/confirm", { fileId })).body);
  strictly(fileSchema).parse((await client.json("GET", `/api/storage/files/${fileId}`)).body);
});

test("runs return exactly the documented fields, running or ended", async () => {
  const client = await signUp(app.url);
  await giveCredits(app, client.email, CREDITS_PER_IMAGE);
  const run = strictly(runSchema);
  const accepted = await client.fetch("/api/generate-image", {
    method: "POST",
    headers: { Prefer: "respond-async" },
    body: JSON.stringify({ prompt: "a cat" }),
  });
  const { runId } = run.parse(await accepted.json());
  const look = async () => run.parse((await client.json("GET", `/api/runs/${runId}`)).body);
  await expect.poll(async () => (await look()).status).toBe("succeeded");
  const { body } = await client.json("GET", "/api/runs");
  strictly(runsSchema.extend({ runs: run.array().length(1) })).parse(body);
});

test("generation and the credit history return exactly the documented fields", async () => {
  const client = await signUp(app.url);
  await giveCredits(app, client.email, CREDITS_PER_IMAGE);
  const generated = await client.json("POST", "/api/generate-image", { prompt: "a cat" });
  const image = strictly(generationSchema.shape.images.element);
  strictly(generationSchema.extend({ images: image.array().length(1) })).parse(generated.body);
  const credits = await client.json("GET", "/api/account/credits");
  const row = strictly(creditsSchema.shape.transactions.element);
  strictly(creditsSchema.extend({ transactions: row.array().length(2) })).parse(credits.body);
});
