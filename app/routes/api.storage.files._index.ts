import { listOwnedFiles } from "~/models/files/files.server";
import { apiRoute } from "~/server/api-route.server";
import { fileResponse } from "~/server/file-response.server";
import { limitLists } from "~/server/limit-lists.server";
import { requireUser } from "~/server/session.server";
import { requireStore } from "~/server/storage-guard.server";

const route = apiRoute({
  async GET({ request }) {
    const { id: userId } = await requireUser(request);
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
