import { findUploadFaults } from "~/services/storage/upload-faults";
import type { UploadRequest } from "~/services/storage/upload-request";

/** A failed step of a direct upload, with the code of its problem document if there was one. */
export class UploadError extends Error {
  readonly code: string;
  /** Message keys or the server's own texts about the file. */
  readonly faults: string[];
  /** Further members of the problem document, such as the quota in bytes. */
  readonly figures: Record<string, unknown>;

  constructor(code: string, faults: string[] = [], figures: Record<string, unknown> = {}) {
    super(code);
    this.code = code;
    this.faults = faults;
    this.figures = figures;
  }
}

/** Failures that the same file meets again, however often it is sent. */
const FILE_FAULTS: ReadonlySet<string> = new Set([
  "invalid_input",
  "content_mismatch",
  "payload_too_large",
]);

/** Whether another file is needed: the same one can never pass. */
export const needsAnotherFile = (error: UploadError | null): boolean =>
  error !== null && FILE_FAULTS.has(error.code);

/** Whether the session ended meanwhile. */
export const isSignedOut = (error: UploadError | null): boolean =>
  error?.code === "unauthenticated";

interface DirectUpload {
  file: File;
  access: UploadRequest["access"];
  signal: AbortSignal;
  /** Called with the share of bytes sent so far, from 0 to 1. */
  onProgress: (share: number) => void;
}

/**
 * Uploads a file straight to the store and confirms it, with the three steps of the JSON API. First
 * checks the file as the API will. If the bytes didn't arrive, removes the pending
 * file.
 * @throws UploadError, or AbortError once the signal is aborted
 */
export async function uploadDirectly({ file, access, signal, onProgress }: DirectUpload) {
  const upload = { filename: file.name, contentType: file.type, contentLength: file.size, access };
  const faults = findUploadFaults(upload);
  if (faults.length > 0) throw new UploadError("invalid_input", faults);
  const { fileId, uploadUrl } = await postJson<{ fileId: string; uploadUrl: string }>(
    "/api/storage/upload",
    upload,
    signal,
  );
  try {
    await put(uploadUrl, file, signal, onProgress);
  } catch (error) {
    await fetch(`/api/storage/files/${fileId}`, { method: "DELETE" }).catch(() => undefined);
    throw error;
  }
  await postJson("/api/storage/confirm", { fileId }, signal);
}

async function postJson<T>(path: string, body: unknown, signal: AbortSignal): Promise<T> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  const reply: unknown = await response.json();
  if (response.ok) return reply as T;
  const {
    code = "unexpected",
    errors = {},
    ...figures
  } = reply as { code?: string; errors?: Record<string, string[]> };
  throw new UploadError(code, Object.values(errors).flat(), figures);
}

/** Uses XMLHttpRequest, because `fetch` can't report upload progress. */
function put(
  url: string,
  file: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    request.setRequestHeader("Content-Type", file.type);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onload = () =>
      request.status < 300 ? resolve() : reject(new UploadError("store_refused"));
    request.onerror = () => reject(new UploadError("store_unreachable"));
    request.onabort = () => reject(new DOMException("cancelled", "AbortError"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
