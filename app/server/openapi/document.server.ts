import { createDocument } from "zod-openapi";
import { healthPaths } from "~/server/openapi/health-paths";
import { storagePaths } from "~/server/openapi/storage-paths";
import packageJson from "../../../package.json";

/** The JSON interface as OpenAPI 3.1, made from the very schemas that check requests. */
export function openApiDocument(siteUrl: URL) {
  return createDocument({
    openapi: "3.1.0",
    info: { title: "Remix Credits Starter", version: packageJson.version },
    servers: [{ url: siteUrl.origin }],
    security: [{ session: [] }],
    components: {
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: siteUrl.protocol === "https:" ? "__Host-session" : "session",
        },
      },
    },
    paths: { ...storagePaths, ...healthPaths },
  });
}
