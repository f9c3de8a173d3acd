import { requestUpload } from "~/models/files/uploads.server";
import { requireCaller } from "~/server/api-keys/caller.server";
import { quotaRefused } from "~/server/files/file-refusals.server";
import {
  limitUploads,
  requirePublishable,
  requireServableType,
  requireStore,
} from "~/server/files/storage-guard.server";
import { apiRoute } from "~/server/request/api-route.server";
import { readJson } from "~/server/request/read-body.server";
import { uploadRequestSchema } from "~/services/storage/upload-request";

const route = apiRoute({
  async POST({ request }) {
    const user = await requireCaller(request);
    const { id: userId } = user;
    const store = requireStore();
    await limitUploads(userId);
    const upload = await readJson(request, uploadRequestSchema);
    requireServableType(upload.contentType);
    requirePublishable(upload.access, user);

    const result = await requestUpload({ userId, store, upload });
    if (result.status !== "allowed") throw quotaRefused(result);
    const { file, uploadUrl, expiresAt } = result;
    return {
      fileId: file.id,
      uploadUrl,
      method: "PUT",
      headers: { "Content-Type": file.contentType },
      key: file.key,
      expiresAt: expiresAt.toISOString(),
    };
  },
});

export const loader = route.loader;
export const action = route.action;
