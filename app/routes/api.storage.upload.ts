import { requestUpload } from "~/models/files/uploads.server";
import { apiRoute } from "~/server/api-route.server";
import { readJson } from "~/server/read-body.server";
import { requireUser } from "~/server/session.server";
import { limitUploads, requireServableType, requireStore } from "~/server/storage-guard.server";
import { uploadRequestSchema } from "~/services/storage/upload-request";

const route = apiRoute({
  async POST({ request }) {
    const { id: userId } = await requireUser(request);
    const store = requireStore();
    const upload = await readJson(request, uploadRequestSchema);
    requireServableType(upload.contentType);
    await limitUploads(userId);

    const { file, uploadUrl, expiresAt } = await requestUpload({ userId, store, upload });
    return Response.json({
      fileId: file.id,
      uploadUrl,
      method: "PUT",
      headers: { "Content-Type": file.contentType },
      key: file.key,
      expiresAt: expiresAt.toISOString(),
    });
  },
});

export const loader = route.loader;
export const action = route.action;
