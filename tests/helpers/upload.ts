import type { Client } from "./client";
import { PNG } from "./sample-files";

interface Upload {
  fileId: string;
  uploadUrl: string;
  key: string;
  headers: { "Content-Type": string };
}

interface UploadOptions {
  content?: Uint8Array;
  filename?: string;
  contentType?: string;
  access?: string;
}

/** Step 1 of a direct upload. */
export async function requestUpload(client: Client, options: UploadOptions = {}): Promise<Upload> {
  const { content = PNG, filename = "cat.png", contentType = "image/png", access } = options;
  const response = await client.json("POST", "/api/storage/upload", {
    filename,
    contentType,
    contentLength: content.byteLength,
    access,
  });
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
  return response.body as unknown as Upload;
}

/** Step 2: sends the bytes to the store, as a browser would. */
export function putObject(
  { uploadUrl }: Pick<Upload, "uploadUrl">,
  content: Uint8Array = PNG,
  contentType = "image/png",
): Promise<Response> {
  return fetch(uploadUrl, {
    method: "PUT",
    body: new Uint8Array(content),
    headers: { "Content-Type": contentType },
  });
}

/** Does all three steps and returns the confirmed file. */
export async function uploadFile(client: Client, options: UploadOptions = {}) {
  const upload = await requestUpload(client, options);
  await putObject(upload, options.content, options.contentType);
  const { fileId } = upload;
  const confirmed = await client.json("POST", "/api/storage/confirm", { fileId });
  if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body));
  return confirmed.body as {
    fileId: string;
    key: string;
    url: string;
    urlExpiresAt: string | null;
  };
}
