import { z } from "zod";
import { CONTENT_TYPES } from "~/services/storage/content-types";

/** A file of the signed-in user. */
export const fileSchema = z
  .object({
    fileId: z.uuid(),
    key: z.string().meta({ description: "The object's key in the bucket." }),
    filename: z.string(),
    status: z.enum(["pending", "confirmed", "rejected"]),
    access: z.enum(["private", "public"]),
    contentType: z.enum(CONTENT_TYPES),
    size: z.int().meta({ description: "Bytes." }),
    createdAt: z.iso.datetime(),
    url: z.url().nullable().meta({
      description: "Lasting for a public file, signed for a private one, null if pending.",
    }),
    urlExpiresAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When a signed URL ends; null for a lasting one." }),
  })
  .meta({ id: "File" });

export type FileResponse = z.output<typeof fileSchema>;

export const fileListSchema = z.object({
  files: z.array(fileSchema),
  nextCursor: z.uuid().nullable().meta({ description: "For `cursor`, or null on the last page." }),
});

export const uploadResponseSchema = z
  .object({
    fileId: z.uuid(),
    uploadUrl: z.url(),
    method: z.literal("PUT"),
    headers: z.object({ "Content-Type": z.enum(CONTENT_TYPES) }),
    key: z.string(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "Upload" });
