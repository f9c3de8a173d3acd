import type { ActionKey } from "~/catalog";
import { textAction } from "~/models/text/text-action.server";
import type { ApiPart } from "~/server/openapi/api-part";
import { growingApi } from "~/server/openapi/growing-api";
import { imageApi } from "~/server/openapi/image-paths";

/** Each action's part of the API. An action without its entry does not compile. */
export const ACTION_APIS: Record<ActionKey, ApiPart> = {
  image: imageApi,
  text: growingApi(textAction, {
    name: "Texts",
    schema: "Text",
    path: "/api/generate-text",
    operationId: "generateText",
    summary: "Write a text, paid with credits by the token",
    responseDescription: "Tokens of the prompt and of the text are charged alike.",
  }),
};
