import type { Params } from "@remix-run/react";
import { getOwnedFile } from "~/models/files/files.server";
import { deleteFile } from "~/models/files/uploads.server";
import { requireCaller } from "~/server/api-keys/caller.server";
import { confirmFailure } from "~/server/files/file-refusals.server";
import { fileResponse } from "~/server/files/file-response.server";
import { limitDeletions, requireStore } from "~/server/files/storage-guard.server";
import { apiRoute } from "~/server/request/api-route.server";

const route = apiRoute({
  async GET({ request, params }) {
    const { id: userId } = await requireCaller(request);
    const store = requireStore();
    const file = await getOwnedFile({ fileId: idOf(params), userId });
    if (file?.status !== "confirmed") throw confirmFailure("file_not_found");
    return fileResponse(file, store);
  },

  async DELETE({ request, params }) {
    const { id: userId } = await requireCaller(request);
    const store = requireStore();
    await limitDeletions(userId);
    const { status } = await deleteFile({ userId, store, fileId: idOf(params) });
    if (status === "file_not_found") throw confirmFailure(status);
    return new Response(null, { status: 204 });
  },
});

const idOf = (params: Params) => params.fileId ?? "";

export const loader = route.loader;
export const action = route.action;
