import { expect, test } from "vitest";
import { matchesContentType } from "~/services/storage/file-signature.server";

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  "<svg/>",
  '<svg xmlns="http://www.w3.org/2000/svg">',
  '\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<svg>',
  '<!-- made by hand --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg>',
  '<!DOCTYPE svg [ <!ENTITY a "b"> ]>\n<svg>',
  "  \n<SVG>",
])("%j begins an SVG", async (text) => {
  expect(await matchesContentType(bytes(text), "image/svg+xml")).toBe(true);
});

test.each([
  "",
  "svg",
  "<html><svg>",
  "<svgx>",
  "text <svg>",
  "<!DOCTYPE html><svg>",
  "<script/><svg>",
])("%j begins no SVG", async (text) => {
  expect(await matchesContentType(bytes(text), "image/svg+xml")).toBe(false);
});

test.each([
  ["image/jpeg", [0xff, 0xd8, 0xff, 0xe0]],
  ["image/gif", [...bytes("GIF89a")]],
  ["application/pdf", [...bytes("%PDF-1.7\n")]],
  ["image/webp", [...bytes("RIFF\x00\x00\x00\x00WEBPVP8 ")]],
] as const)("%s is told by its first bytes, and is nothing else", async (contentType, start) => {
  const content = new Uint8Array([...start, ...new Uint8Array(64)]);
  expect(await matchesContentType(content, contentType)).toBe(true);
  expect(await matchesContentType(content, "image/png")).toBe(false);
  expect(await matchesContentType(content, "image/svg+xml")).toBe(false);
});

test("many comments before something else are told at once: no backtracking", async () => {
  const hostile = bytes(`${"<!---->".repeat(500)}x`);
  expect(await matchesContentType(hostile, "image/svg+xml")).toBe(false);
  expect(await matchesContentType(bytes(`${"<!-- a -->".repeat(300)}<svg>`), "image/svg+xml")).toBe(
    true,
  );
});

test("nothing is of any type", async () => {
  expect(await matchesContentType(new Uint8Array(), "image/png")).toBe(false);
});
