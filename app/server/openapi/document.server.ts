import { createDocument, type ZodOpenApiPathsObject } from "zod-openapi";
import { PRODUCT_NAME } from "~/catalog";
import { accountPaths } from "~/server/openapi/account-paths";
import { ACTION_APIS } from "~/server/openapi/action-apis";
import type { ApiPart } from "~/server/openapi/api-part";
import {
  withApiKeys,
  withCommonResponses,
  withRateLimits,
} from "~/server/openapi/common-responses";
import { cronPaths } from "~/server/openapi/cron-paths";
import { estimatePaths } from "~/server/openapi/estimate-paths";
import { withExamples } from "~/server/openapi/examples/with-examples";
import { healthPaths } from "~/server/openapi/health-paths";
import { mapOperations } from "~/server/openapi/map-operations";
import { passkeyPaths } from "~/server/openapi/passkey-paths";
import { paymentPaths } from "~/server/openapi/payment-paths";
import { runPaths } from "~/server/openapi/run-paths";
import { storagePaths } from "~/server/openapi/storage-paths";
import packageJson from "../../../package.json";

/** The parts of the API, in the order of docs/http-api.md. */
const PARTS: ApiPart[] = [
  {
    name: "Files",
    description:
      "An upload has three steps: ask for a URL, PUT the bytes there with the response's `headers`, confirm. All files of a user together may take `STORAGE_QUOTA_MB`; pending files count with their declared size, and generated images count too.",
    paths: storagePaths,
  },
  ...Object.values(ACTION_APIS),
  {
    name: "Runs",
    description:
      "A run is one use of an action that is paid with credits. It goes on whatever becomes of the connection or the server that took it.",
    paths: { ...estimatePaths, ...runPaths },
  },
  {
    name: "Credits",
    description: "A user's balance, and every movement of it.",
    paths: accountPaths,
  },
  {
    name: "Payments",
    description:
      "Both checkouts return the address of a hosted page. Nothing is charged before the buyer pays there, and credits come when the provider reports the payment by webhook.",
    paths: paymentPaths,
  },
  {
    name: "Passkeys",
    description: "The browser's half is `public/passkeys.js`; its response goes to a page's form.",
    paths: passkeyPaths,
  },
  {
    name: "Scheduler",
    description:
      "Send `CRON_SECRET` as the bearer. The routes are safe to call at any time and in parallel.",
    paths: cronPaths,
  },
  {
    name: "Platform",
    description: "For what runs and watches the server.",
    paths: healthPaths,
  },
];

/** Returns the OpenAPI 3.1 document of the JSON API, made from the schemas that check requests. */
export function openApiDocument(siteUrl: URL) {
  return createDocument({
    openapi: "3.1.0",
    info: { title: PRODUCT_NAME, version: packageJson.version },
    servers: [{ url: siteUrl.origin }],
    security: [{ session: [] }],
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key, made under Account → API keys.",
        },
        cron: { type: "http", scheme: "bearer", description: "The CRON_SECRET." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: siteUrl.protocol === "https:" ? "__Host-session" : "session",
        },
      },
    },
    tags: PARTS.map(({ name, description }) => ({ name, description })),
    paths: withExamples(withCommonResponses(withApiKeys(withRateLimits(taggedPaths())))),
  });
}

function taggedPaths(): ZodOpenApiPathsObject {
  const tagged = PARTS.map(({ name, paths }) =>
    mapOperations(paths, (operation) => ({ ...operation, tags: [name] })),
  );
  return Object.assign({}, ...tagged);
}
