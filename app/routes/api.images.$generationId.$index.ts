import type { Params } from "@remix-run/react";
import { z } from "zod";
import { hasPicture, readPicture } from "~/models/images/pictures.server";
import { requireCaller } from "~/server/api-keys/caller.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { apiRoute } from "~/server/request/api-route.server";
import { readDataUrl } from "~/services/images/fetch-image.server";
import { MAX_IMAGES } from "~/services/images/image-limits";
import { AppError } from "~/utils/app-error";

const paramsSchema = z.object({
  generationId: z.uuid(),
  index: z
    .string()
    .regex(/^\d$/)
    .transform(Number)
    .pipe(z.int().max(MAX_IMAGES - 1)),
});

const route = apiRoute({
  async GET({ request, params }) {
    const { id: userId } = await requireCaller(request);
    await enforceRateLimit(limitRule("picture-user", userId));
    const picture = { userId, ...parseParams(params) };
    // An image never changes, so its position identifies its version. Browsers revalidate each
    // time, so that the image isn't shown after the session ends, but they needn't download it again.
    const etag = `"${picture.generationId}-${picture.index}"`;
    const headers = { "Cache-Control": "private, no-cache", ETag: etag };
    if (request.headers.get("If-None-Match") === etag && (await hasPicture(picture)))
      return new Response(null, { status: 304, headers });

    const url = await readPicture(picture);
    const image = url ? await readDataUrl(url) : null;
    if (image?.status !== "fetched") throw imageNotFound();
    const { bytes, contentType } = image;
    return new Response(new Uint8Array(bytes), {
      headers: {
        ...headers,
        "Content-Type": contentType,
        "Content-Length": String(bytes.length),
        "Content-Disposition": "inline",
      },
    });
  },
});

function parseParams(params: Params) {
  const parsed = paramsSchema.safeParse(params);
  if (!parsed.success) throw imageNotFound();
  return parsed.data;
}

function imageNotFound(): AppError {
  return new AppError({
    code: "image_not_found",
    publicMessage:
      "We couldn't find that image. This address keeps images for a day, and only while storage is off.",
  });
}

export const loader = route.loader;
export const action = route.action;
