import { type Examples, FILE_ID, problem } from "~/server/openapi/examples/example";

const KEY =
  "private/76a473c9-b4ae-4e44-bd56-360fa864e070/uploads/8f9de9edb3fd854097edb7a7b893b796.png";
const URL = `https://files.example.net/${KEY}`;

const UPLOAD = {
  filename: "cat.png",
  contentType: "image/png",
  contentLength: 70,
  access: "private",
};

const CONFIRMED = {
  fileId: FILE_ID,
  key: KEY,
  filename: "cat.png",
  status: "confirmed",
  access: "private",
  contentType: "image/png",
  size: 70,
  createdAt: "2026-11-21T14:00:36.638Z",
  url: `${URL}?X-Amz-Signature=2828`,
  urlExpiresAt: "2026-11-21T15:00:37.026Z",
};

const PENDING = {
  ...CONFIRMED,
  fileId: "75f35e01-f0b2-437d-9455-4d77611ed1c8",
  status: "pending",
  url: null,
  urlExpiresAt: null,
};

export const storageExamples: Examples = {
  requestUpload: {
    allowed: {
      body: UPLOAD,
      status: 200,
      response: {
        fileId: FILE_ID,
        uploadUrl: `${URL}?X-Amz-Signature=5b7c`,
        method: "PUT",
        headers: { "Content-Type": "image/png" },
        key: KEY,
        expiresAt: "2026-11-21T14:05:36.472Z",
      },
    },
    emptyFile: {
      body: { ...UPLOAD, contentLength: 0 },
      ...problem("invalid_input", "Nothing was changed. Check these fields: contentLength.", {
        errors: { contentLength: ["Give the file’s size in bytes, as a whole number above 0."] },
      }),
    },
    noRoom: {
      body: { ...UPLOAD, filename: "poster.png", contentLength: 8_388_608 },
      ...problem(
        "quota_exceeded",
        "Your files take 195 of 200 MB, and this one needs 8 MB. Nothing was stored. Delete files you no longer need.",
        { quota: 209_715_200, used: 204_472_320, required: 8_388_608 },
      ),
    },
    tooManyPending: {
      body: UPLOAD,
      ...problem(
        "too_many_pending",
        "100 of your uploads are unfinished, and the limit is 100. Nothing was stored. Confirm or delete some of them first.",
        { limit: 100, pending: 100 },
      ),
    },
  },
  confirmUpload: {
    uploaded: { body: { fileId: FILE_ID }, status: 200, response: CONFIRMED },
    again: {
      body: { fileId: FILE_ID },
      ...problem("already_confirmed", "This file is already confirmed. You can use it."),
    },
    tooEarly: {
      body: { fileId: FILE_ID },
      ...problem(
        "object_missing",
        "The file hasn't been uploaded yet. PUT it to its upload URL, then confirm.",
      ),
    },
  },
  listFiles: {
    lastPage: { status: 200, response: { files: [CONFIRMED, PENDING], nextCursor: null } },
  },
  getFile: {
    confirmed: { status: 200, response: CONFIRMED },
    unknown: problem(
      "file_not_found",
      "We couldn't find that file in your account. GET /api/storage/files lists your files.",
    ),
  },
};
