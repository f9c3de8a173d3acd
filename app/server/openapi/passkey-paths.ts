import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { jsonResponse, problemResponses } from "~/server/openapi/problem-responses";
import { passkeyPurposeSchema } from "~/services/auth/passkey-response";

export const passkeyPaths: ZodOpenApiPathsObject = {
  "/api/passkeys/options": {
    post: {
      operationId: "passkeyOptions",
      summary:
        "Get what a browser needs to ask for a passkey; the challenge works once, for 5 minutes",
      description:
        "`purpose` is `sign_in`, which needs no session, `register`, which needs a proof of identity of the last ten minutes (else `reauthentication_required`), or `confirm`.",
      security: [{ session: [] }, {}],
      requestBody: {
        required: true,
        content: { "application/json": { schema: passkeyPurposeSchema } },
      },
      responses: {
        200: jsonResponse(
          "For `PublicKeyCredential.parseRequestOptionsFromJSON`, or to register for `parseCreationOptionsFromJSON`. `sign_in` needs no session.",
          z.looseObject({ challenge: z.string() }),
        ),
        ...problemResponses([
          "invalid_input",
          "unauthenticated",
          "reauthentication_required",
          "payload_too_large",
        ]),
      },
    },
  },
};
