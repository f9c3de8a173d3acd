import fc from "fast-check";
import { expect, test } from "vitest";
import { CONTENT_TYPES, MAX_FILE_BYTES, MAX_SVG_BYTES } from "~/services/storage/content-types";
import { findUploadFaults } from "~/services/storage/upload-faults";
import { uploadRequestSchema } from "~/services/storage/upload-request";

const filenames = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom("", " ", "cat.png", "a/b.png", "a\\b.png", "a\nb", "cat.png\n"),
  fc.integer({ min: 250, max: 260 }).map((length) => "x".repeat(length)),
);
const sizes = fc.oneof(
  fc.nat(),
  fc.constantFrom(0, 1, MAX_FILE_BYTES - 1, MAX_FILE_BYTES, MAX_FILE_BYTES + 1),
  fc.constantFrom(MAX_SVG_BYTES, MAX_SVG_BYTES + 1),
);
const types = fc.oneof(fc.constantFrom(...CONTENT_TYPES), fc.constantFrom("", "text/html"));

test("the browser finds the same faults in a file as the upload's schema, in the same words", () => {
  fc.assert(
    fc.property(filenames, types, sizes, (filename, contentType, contentLength) => {
      const file = { filename, contentType, contentLength };
      const parsed = uploadRequestSchema.safeParse(file);
      const messages = parsed.error?.issues.map(({ message }) => message) ?? [];
      expect(findUploadFaults(file)).toEqual([...new Set(messages)]);
    }),
  );
});
