import { expect, test } from "vitest";
import { MAX_SVG_BYTES } from "~/services/storage/content-types";
import { bytesToCheck, matchesContentType } from "~/services/storage/file-signature.server";

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  ["image/jpeg", [0xff, 0xd8, 0xff, 0xe0]],
  ["image/gif", [...bytes("GIF89a")]],
  ["application/pdf", [...bytes("%PDF-1.7\n")]],
  ["image/webp", [...bytes("RIFF\x00\x00\x00\x00WEBPVP8 ")]],
] as const)("%s is recognised by its first bytes, as no other type", async (contentType, start) => {
  const content = new Uint8Array([...start, ...new Uint8Array(64)]);
  expect(await matchesContentType(content, contentType)).toBe(true);
  expect(await matchesContentType(content, "image/png")).toBe(false);
  expect(await matchesContentType(content, "image/svg+xml")).toBe(false);
});

test("an SVG is read whole, has to be UTF-8, and has a mebibyte at most", async () => {
  const isSvg = (content: Uint8Array) => matchesContentType(content, "image/svg+xml");
  const withNote = (length: number) => {
    const [start, end] = ["<svg><!--", "--></svg>"];
    return bytes(`${start}${"x".repeat(length - start.length - end.length)}${end}`);
  };
  expect(bytesToCheck("image/svg+xml")).toBe(MAX_SVG_BYTES + 1);
  expect(await isSvg(withNote(MAX_SVG_BYTES))).toBe(true);
  expect(await isSvg(withNote(MAX_SVG_BYTES + 1))).toBe(false);
  expect(await isSvg(withNote(5_000).slice(0, 4_100))).toBe(false);
  expect(await isSvg(bytes("\uFEFF<svg/>"))).toBe(true);
  expect(await isSvg(new Uint8Array([...bytes("<svg><!--"), 0xff, ...bytes("--></svg>")]))).toBe(
    false,
  );
  expect(await isSvg(new Uint8Array(Buffer.from("\uFEFF<svg/>", "utf16le")))).toBe(false);
});

test("an empty file has no type", async () => {
  expect(await matchesContentType(new Uint8Array(), "image/png")).toBe(false);
});
