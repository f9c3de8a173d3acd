import { z } from "zod";
import { invalid } from "~/i18n/validation-key";
import {
  CONTENT_TYPES,
  isLongSvg,
  MAX_FILE_BYTES,
  withExtension,
} from "~/services/storage/content-types";
import { MAX_NAME_LENGTH, UNSAFE_IN_NAME } from "~/services/storage/upload-faults";

const FOLDER = /^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/;

const contentType = z
  .enum(CONTENT_TYPES, invalid("contentTypeNotAllowed"))
  .meta({ description: "Must equal the Content-Type of the PUT.", example: "image/png" });

const contentLength = z
  .int(invalid("contentLengthInvalid"))
  .min(1, invalid("contentLengthInvalid"))
  .max(MAX_FILE_BYTES, invalid("fileTooLarge"))
  .meta({
    description: "Bytes; must equal the length of the PUT. An SVG can have 1 MiB at most.",
    example: 68,
  });

const fields = z.object({
  filename: z
    .string(invalid("filenameInvalid"))
    // Checked before trimming, which would remove a line break at the end as white space.
    .refine((name) => !UNSAFE_IN_NAME.test(name), invalid("filenameInvalid"))
    .trim()
    .min(1, invalid("filenameInvalid"))
    .max(MAX_NAME_LENGTH, invalid("filenameInvalid"))
    .meta({
      description:
        "The file's name, shown in lists and used for downloads. If its extension isn't one of the type's, that is appended.",
      example: "cat.png",
    }),
  contentType,
  contentLength,
  folder: z
    .string(invalid("folderInvalid"))
    .max(64, invalid("folderInvalid"))
    .regex(FOLDER, invalid("folderInvalid"))
    .default("uploads"),
  access: z.enum(["private", "public"], invalid("accessInvalid")).default("private"),
});

/** The body of POST /api/storage/upload, and the plain upload form. A name gets its type's extension. */
export const uploadRequestSchema = fields
  .refine((upload) => !isLongSvg(upload), {
    ...invalid("svgTooLarge"),
    path: ["contentLength"],
    // Also where another field is faulty: every fault is named at once.
    when: ({ value }) =>
      fields.pick({ contentType: true, contentLength: true }).safeParse(value).success,
  })
  .transform((upload) => ({
    ...upload,
    filename: withExtension(upload.filename, upload.contentType),
  }));

export type UploadRequest = z.output<typeof uploadRequestSchema>;
