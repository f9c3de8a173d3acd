import { createDocument } from "zod-openapi";
import { PRODUCT_NAME } from "~/catalog";
import { accountPaths } from "~/server/openapi/account-paths";
import { withCommonAnswers } from "~/server/openapi/common-answers";
import { cronPaths } from "~/server/openapi/cron-paths";
import { healthPaths } from "~/server/openapi/health-paths";
import { imagePaths } from "~/server/openapi/image-paths";
import { passkeyPaths } from "~/server/openapi/passkey-paths";
import { paymentPaths } from "~/server/openapi/payment-paths";
import { storagePaths } from "~/server/openapi/storage-paths";
import packageJson from "../../../package.json";

/** Returns the OpenAPI 3.1 document of the JSON API, made from the schemas that check requests. */
export function openApiDocument(siteUrl: URL) {
  return createDocument({
    openapi: "3.1.0",
    info: { title: PRODUCT_NAME, version: packageJson.version },
    servers: [{ url: siteUrl.origin }],
    security: [{ session: [] }],
    components: {
      securitySchemes: {
        cron: { type: "http", scheme: "bearer", description: "The CRON_SECRET." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: siteUrl.protocol === "https:" ? "__Host-session" : "session",
        },
      },
    },
    paths: withCommonAnswers({
      ...storagePaths,
      ...imagePaths,
      ...paymentPaths,
      ...accountPaths,
      ...passkeyPaths,
      ...cronPaths,
      ...healthPaths,
    }),
  });
}
