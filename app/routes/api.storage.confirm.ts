import { confirmUpload } from "~/models/files/confirm.server";
import { requireCaller } from "~/server/api-keys/caller.server";
import { confirmFailure } from "~/server/files/file-refusals.server";
import { fileResponse } from "~/server/files/file-response.server";
import { limitConfirms, requireStore } from "~/server/files/storage-guard.server";
import { apiRoute } from "~/server/request/api-route.server";
import { readJson } from "~/server/request/read-body.server";
import { confirmRequestSchema } from "~/services/storage/confirm-request";

const route = apiRoute({
  async POST({ request }) {
    const { id: userId } = await requireCaller(request);
    const store = requireStore();
    await limitConfirms(userId);
    const { fileId } = await readJson(request, confirmRequestSchema);

    const result = await confirmUpload({ userId, store, fileId });
    if (result.status !== "confirmed") throw confirmFailure(result.status);
    return fileResponse(result.file, store);
  },
});

export const loader = route.loader;
export const action = route.action;
