import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { z } from "zod";
import { addThumbnailJobs } from "~/models/files/thumbnails-due.server";
import { moveFiles, wantAccess } from "~/models/images/image-moves.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { pageOfFile } from "~/server/files/page-of-file.server";
import { limitImageAccess, requirePageStore } from "~/server/files/storage-guard.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { isUuid } from "~/utils/uuid";

const accessSchema = z.enum(["private", "public"]);

/** Somebody who signed in on the way back to this address. */
export function loader({ params }: LoaderFunctionArgs) {
  return redirect(`/${requireLocale(params)}/files`);
}

/** Makes one generated image private or public, and returns to its page. */
export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const store = requirePageStore();
  await limitImageAccess(userId);
  const access = accessSchema.safeParse((await readForm(request, ["access"])).get("access"));
  const { fileId = "" } = params;
  if (!access.success || !isUuid(fileId)) throw new Response(null, { status: 404 });
  const found = await wantAccess({ userId, fileId, access: access.data });
  if (found === 0) throw new Response(null, { status: 404 });
  await moveFiles({ store, limit: 1, userId, fileId });
  await addThumbnailJobs({ userId });
  return redirect(pageOfFile({ request, locale, done: access.data }), 303);
}
