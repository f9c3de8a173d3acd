import { useRevalidator } from "@remix-run/react";
import { useRef, useState } from "react";
import { isSignedOut, UploadError, uploadDirectly } from "~/components/files/direct-upload";
import type { UploadRequest } from "~/services/storage/upload-request";

/** One file being uploaded. It leaves the list once it is confirmed and the page shows it. */
export interface OngoingUpload {
  id: string;
  file: File;
  access: UploadRequest["access"];
  phase: "uploading" | "failed" | "cancelled";
  /** Share of bytes sent, from 0 to 1. */
  progress: number;
  error: UploadError | null;
}

/** Direct uploads with progress, cancelling and retrying. Each runs independently. */
export function useDirectUploads() {
  const [uploads, setUploads] = useState<OngoingUpload[]>([]);
  const controllers = useRef(new Map<string, AbortController>());
  const revalidator = useRevalidator();

  const change = (id: string, to: Partial<OngoingUpload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...to } : upload)));
  const remove = (id: string) => setUploads((all) => all.filter((upload) => upload.id !== id));

  async function run({ id, file, access }: Pick<OngoingUpload, "id" | "file" | "access">) {
    const controller = new AbortController();
    controllers.current.set(id, controller);
    change(id, { phase: "uploading", progress: 0, error: null });
    try {
      const onProgress = (progress: number) => change(id, { progress });
      await uploadDirectly({ file, access, signal: controller.signal, onProgress });
      remove(id);
    } catch (error) {
      if (controller.signal.aborted) change(id, { phase: "cancelled" });
      else {
        const known = error instanceof UploadError ? error : new UploadError("unexpected");
        change(id, { phase: "failed", error: known });
        // The page's data would lead to the sign-in page, and the chosen files would be lost.
        if (isSignedOut(known)) return;
      }
    }
    // After a failure too: the server may hold a pending file that can still be confirmed.
    revalidator.revalidate();
  }

  function start(files: File[], access: UploadRequest["access"]) {
    const added = files.map((file) => ({
      id: crypto.randomUUID(),
      file,
      access,
      phase: "uploading" as const,
      progress: 0,
      error: null,
    }));
    setUploads((all) => [...added, ...all]);
    for (const upload of added) void run(upload);
  }

  return {
    uploads,
    start,
    retry: (upload: OngoingUpload) => void run(upload),
    cancel: (id: string) => controllers.current.get(id)?.abort(),
    dismiss: remove,
  };
}
