import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { getOwnedFile } from "~/models/files/files.server";
import { fileUrl, signedFileUrl } from "~/models/files/uploads.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requirePageStore } from "~/server/files/storage-guard.server";
import { requireLocale } from "~/server/request/locale-param.server";

/**
 * Redirects the owner to the file's URL, newly signed, so that a link on an old page still works. With
 * `?save` the URL of a public file is signed, too: the browser then saves the file instead of showing it.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const store = requirePageStore();
  const file = await getOwnedFile({ fileId: params.fileId ?? "", userId });
  if (file?.status !== "confirmed") throw new Response(null, { status: 404 });
  const isSaved = new URL(request.url).searchParams.has("save");
  const { url } = await (isSaved ? signedFileUrl : fileUrl)(file, store);
  return redirect(url, { headers: { "Cache-Control": "no-store" } });
}
