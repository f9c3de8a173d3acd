import { confirmUpload } from "~/models/files/confirm.server";
import { apiRoute } from "~/server/api-route.server";
import { confirmFailure } from "~/server/file-refusals.server";
import { fileResponse } from "~/server/file-response.server";
import { readJson } from "~/server/read-body.server";
import { requireUser } from "~/server/session.server";
import { limitConfirms, requireStore } from "~/server/storage-guard.server";
import { thumbnailWorkers } from "~/server/thumbnail-workers.server";
import { confirmRequestSchema } from "~/services/storage/confirm-request";

const route = apiRoute({
  async POST({ request }) {
    const { id: userId } = await requireUser(request);
    const store = requireStore();
    await limitConfirms(userId);
    const { fileId } = await readJson(request, confirmRequestSchema);

    const result = await confirmUpload({ userId, store, fileId });
    if (result.status !== "confirmed") throw confirmFailure(result.status);
    thumbnailWorkers.wake();
    return fileResponse(result.file, store);
  },
});

export const loader = route.loader;
export const action = route.action;
