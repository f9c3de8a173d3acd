import { requestUpload } from "~/models/files/uploads.server";
import { requireCaller } from "~/server/api-keys/caller.server";
import { quotaRefused } from "~/server/files/file-refusals.server";
import {
  requirePublishable,
  requireServableType,
  requireStore,
} from "~/server/files/storage-guard.server";
import { rateLimited } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { apiRoute } from "~/server/request/api-route.server";
import { readJson } from "~/server/request/read-body.server";
import { uploadRequestSchema } from "~/services/storage/upload-request";

const route = apiRoute({
  async POST({ request }) {
    const user = await requireCaller(request);
    const { id: userId } = user;
    const store = requireStore();
    const upload = await readJson(request, uploadRequestSchema);
    requireServableType(upload.contentType);
    requirePublishable(upload.access, user);

    const rule = limitRule("upload-user", userId);
    const result = await requestUpload({ userId, store, upload, rule });
    if (result.status === "limited") throw rateLimited(rule, result.retryAfterSeconds);
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
