import { listOwnedFiles } from "~/models/files/files.server";
import { requireCaller } from "~/server/api-keys/caller.server";
import { fileResponse } from "~/server/files/file-response.server";
import { requireStore } from "~/server/files/storage-guard.server";
import { limitLists } from "~/server/limits/limit-lists.server";
import { apiRoute } from "~/server/request/api-route.server";

const route = apiRoute({
  async GET({ request }) {
    const { id: userId } = await requireCaller(request);
    const store = requireStore();
    await limitLists(userId);
    const cursor = new URL(request.url).searchParams.get("cursor");

    const { files, nextCursor } = await listOwnedFiles({ userId, cursor });
    const items = await Promise.all(files.map((file) => fileResponse(file, store)));
    return { files: items, nextCursor };
  },
});

export const loader = route.loader;
export const action = route.action;
