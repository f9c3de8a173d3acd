import express, { type Router } from "express";
import { z } from "zod";
import { drawPicture } from "./draw";
import { PROVIDERS } from "./faults";
import type { Switchboard } from "./switchboard";

const addressSchema = z.object({
  provider: z.enum(PROVIDERS),
  width: z.coerce.number().int().min(1).max(1024),
  height: z.coerce.number().int().min(1).max(1024),
  seed: z.string().regex(/^[0-9a-f]{32}$/),
});

export const HTML_PAGE = "<!doctype html><script>alert(document.cookie)</script>";

/** A 30 MiB file that begins like a PNG. */
export function hugePng(): Buffer {
  const bytes = Buffer.alloc(30 * 1024 * 1024);
  drawPicture("0".repeat(32), 8, 8).copy(bytes);
  return bytes;
}

/** Serves the pictures at the URLs that fal and Replicate return. */
export function pictureRoutes(switchboard: Switchboard): Router {
  const router = express.Router();
  router.get("/:provider/:width(\\d+)x:height(\\d+)/:seed.png", (request, response) => {
    const address = addressSchema.safeParse(request.params);
    if (!address.success) return void response.sendStatus(404);
    const { provider, seed, width, height } = address.data;
    switchboard.count(provider, "image");
    switch (request.query.fault) {
      case "image_redirect":
        return response.redirect("http://169.254.169.254/latest/meta-data/");
      case "image_html":
        return void response.type("png").send(HTML_PAGE);
      case "image_30mb":
        // In chunks and without a Content-Length, so that the app can't rely on one.
        response.type("png").write(hugePng());
        return void response.end();
      default:
        return void response.type("png").send(drawPicture(seed, width, height));
    }
  });
  return router;
}
