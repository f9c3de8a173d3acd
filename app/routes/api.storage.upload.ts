import { requestUpload } from "~/models/files/uploads.server";
import { apiRoute } from "~/server/api-route.server";
import { rateLimited } from "~/server/enforce-rate-limit.server";
import { quotaRefused } from "~/server/file-refusals.server";
import { limitRule } from "~/server/rate-limit-rules";
import { readJson } from "~/server/read-body.server";
import { requireUser } from "~/server/session.server";
import {
  requirePublishable,
  requireServableType,
  requireStore,
} from "~/server/storage-guard.server";
import { uploadRequestSchema } from "~/services/storage/upload-request";

const route = apiRoute({
  async POST({ request }) {
    const user = await requireUser(request);
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
