import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { listSelectedImages } from "~/models/images/selection.server";
import { zipImages } from "~/models/images/zip-images.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requirePageStore } from "~/server/files/storage-guard.server";
import { requirePageImageGeneration } from "~/server/images/generation.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { requireLocale } from "~/server/request/locale-param.server";
import { pacedBody } from "~/server/request/paced-body.server";

/** Sends the images of the selected generations as a zip archive. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  requirePageImageGeneration();
  const { id: userId } = await requirePageUser(request, locale);
  const store = requirePageStore();
  await enforceRateLimit(limitRule("zip-user", userId));
  const generationIds = new URL(request.url).searchParams.getAll("id");
  const images = await listSelectedImages({ userId, generationIds });
  if (images.length === 0) return redirect(`/${locale}/demo/image-generator?done=nothing#gallery`);
  return new Response(pacedBody(zipImages(images, store), context), {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": 'attachment; filename="images.zip"',
      "Cache-Control": "no-store, no-transform",
    },
  });
}
