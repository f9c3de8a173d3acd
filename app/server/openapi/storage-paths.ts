import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { jsonResponse, problemResponses } from "~/server/openapi/problem-responses";
import {
  fileListSchema,
  fileSchema,
  uploadResponseSchema,
} from "~/server/openapi/storage-responses";
import { confirmRequestSchema } from "~/services/storage/confirm-request";
import { uploadRequestSchema } from "~/services/storage/upload-request";
import type { ErrorCode } from "~/utils/error-codes";

const ALWAYS: ErrorCode[] = ["unauthenticated", "storage_disabled"];
const fileId = z.uuid();

export const storagePaths: ZodOpenApiPathsObject = {
  "/api/storage/upload": {
    post: {
      operationId: "requestUpload",
      summary: "Register an upload and get the URL to send the file to",
      description:
        "The URL is valid for 5 minutes and accepts exactly the requested type and length. At most 100 uploads may be unfinished. While email is on, public files need a verified address. After an error nothing is recorded.",
      requestBody: {
        required: true,
        content: { "application/json": { schema: uploadRequestSchema } },
      },
      responses: {
        200: jsonResponse("PUT the file to `uploadUrl` with these headers.", uploadResponseSchema),
        ...problemResponses([
          ...ALWAYS,
          "invalid_input",
          "email_unverified",
          "quota_exceeded",
          "too_many_pending",
          "payload_too_large",
        ]),
      },
    },
  },
  "/api/storage/confirm": {
    post: {
      operationId: "confirmUpload",
      summary: "Check the uploaded object and make the file usable",
      description:
        "After `object_missing` you can still upload and confirm the file. After `size_mismatch`, `type_mismatch` and `content_mismatch` it is rejected for good. Of several confirmations at once, one checks the file and the others get `confirm_in_progress`.",
      requestBody: {
        required: true,
        content: { "application/json": { schema: confirmRequestSchema } },
      },
      responses: {
        200: jsonResponse("The file is confirmed.", fileSchema),
        ...problemResponses([
          ...ALWAYS,
          "invalid_input",
          "file_not_found",
          "already_confirmed",
          "file_rejected",
          "confirm_in_progress",
          "payload_too_large",
          "object_missing",
          "size_mismatch",
          "type_mismatch",
          "content_mismatch",
        ]),
      },
    },
  },
  "/api/storage/files": {
    get: {
      operationId: "listFiles",
      summary: "List your files, newest first",
      description: "Send `nextCursor` as `cursor` to get the next page.",
      requestParams: { query: z.object({ cursor: z.string().optional() }) },
      responses: {
        200: jsonResponse("One page of files.", fileListSchema),
        ...problemResponses([...ALWAYS]),
      },
    },
  },
  "/api/storage/files/{fileId}": {
    get: {
      operationId: "getFile",
      summary: "Get a file with a fresh URL",
      description:
        "A signed `url` downloads the file until `urlExpiresAt`. That of a public file does not expire.",
      requestParams: { path: z.object({ fileId }) },
      responses: {
        200: jsonResponse("The file.", fileSchema),
        ...problemResponses([...ALWAYS, "file_not_found"]),
      },
    },
    delete: {
      operationId: "deleteFile",
      summary: "Delete a file",
      requestParams: { path: z.object({ fileId }) },
      responses: {
        204: { description: "Deleted; the object follows." },
        ...problemResponses([...ALWAYS, "file_not_found"]),
      },
    },
  },
};
