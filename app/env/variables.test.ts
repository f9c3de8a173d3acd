import { readFileSync } from "node:fs";
import { parseEnv as parseDotenv } from "node:util";
import { expect, test } from "vitest";
import { parse, REQUIRED } from "#tests/fixtures/env";
import { listVariables, parseEnv } from "~/env.server";

const EXAMPLE = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");

test(".env.example lists every variable once and no others, with aliases in comments", () => {
  const named = [...EXAMPLE.matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(
    listVariables()
      .map(({ name }) => name)
      .toSorted(),
  );
  const required = [...EXAMPLE.matchAll(/^([A-Z][A-Z0-9_]*)=$/gm)].map(([, name]) => name);
  expect(required).toEqual(listVariables().flatMap((it) => (it.required ? [it.name] : [])));
});

test(".env.example shows the defaults, and works once the required values are filled in", () => {
  const shown = parseDotenv(EXAMPLE.replaceAll(/^# ([A-Z][A-Z0-9_]*=)/gm, "$1"));
  for (const { name, defaultText } of listVariables()) expect(shown[name]).toBe(defaultText ?? "");
  const requiredAlone = parse({ TRUST_PROXY: undefined, HOST: undefined });
  expect(parseEnv({ ...parseDotenv(EXAMPLE), ...REQUIRED })).toEqual(requiredAlone);
  expect(parseEnv({ ...shown, ...REQUIRED })).toEqual(requiredAlone);
});

test("every variable is described in one sentence", () => {
  for (const { name, description } of listVariables())
    expect(description, name).toMatch(/^[A-Z].+\.$/);
});
