import { parseWithZod } from "@conform-to/zod/v4";
import { expect, test } from "vitest";
import { z } from "zod";
import { formRefused } from "~/server/request/form-refused.server";
import { AppError } from "~/utils/app-error";

/** A posted form, as a route's action parses it. */
function post(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const schema = z.object({ email: z.string("missing"), password: z.string("missing") });
  return parseWithZod(form, { schema });
}

const filled = { email: "a@example.com", password: "secret" };
const limited = new AppError({
  code: "rate_limited",
  publicMessage: "Too many requests.",
  headers: { "Retry-After": "30" },
});

test("invalid fields are a 400 with their messages", () => {
  const { data, init } = formRefused({ submission: post({ email: "a" }), hide: [] });
  expect(init?.status).toBe(400);
  expect(data).toMatchObject({ result: { error: { password: ["missing"] } } });
});

test("an error of a conform form is its message, with the error's status and headers", () => {
  const { data, init } = formRefused({ submission: post(filled), hide: [], error: limited });
  expect(init).toMatchObject({ status: 429, headers: { "Retry-After": "30" } });
  expect(data.result?.error).toMatchObject({ "": ["validation.rateLimited:30"] });
});

test("a hidden field's value is not sent back", () => {
  const { data } = formRefused({ submission: post(filled), hide: ["password"], error: limited });
  expect(data.result?.initialValue).toEqual({ email: "a@example.com" });
});

test("an error of a plain form is its code, fields and figures, with the error's status", () => {
  const error = new AppError({
    code: "quota_exceeded",
    publicMessage: "Your files take all of it.",
    fields: { file: ["too large"] },
    extra: { quota: 10 },
  });
  expect(formRefused({ error })).toMatchObject({
    data: {
      refusal: { code: "quota_exceeded", fields: { file: ["too large"] }, figures: { quota: 10 } },
    },
    init: { status: 409 },
  });
});

test.each([
  ["an error that a conform form has no message for", "unknown_sku", { submission: post(filled) }],
  ["an unexpected error of a conform form", null, { submission: post(filled) }],
  ["an unexpected error of a plain form", null, {}],
] as const)("%s is thrown again", (_what, code, form) => {
  const error = code ? new AppError({ code, publicMessage: "No such pack." }) : new Error("a bug");
  expect(() => formRefused({ hide: [], ...form, error })).toThrow(error);
});
