import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { getOwnedFile } from "~/models/files/files.server";
import { fileUrl } from "~/models/files/uploads.server";
import { requireLocale } from "~/server/locale-param.server";
import { requirePageUser } from "~/server/session.server";
import { requirePageStore } from "~/server/storage-guard.server";

/** Redirects the owner to a newly signed URL, so that a link on an old page still works. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const store = requirePageStore();
  const file = await getOwnedFile({ fileId: params.fileId ?? "", userId });
  if (file?.status !== "confirmed") throw new Response(null, { status: 404 });
  const { url } = await fileUrl(file, store);
  return redirect(url, { headers: { "Cache-Control": "no-store" } });
}
