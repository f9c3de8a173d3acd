import type { ActionKey } from "~/catalog";
import type { ApiPart } from "~/server/openapi/api-part";
import { imageApi } from "~/server/openapi/image-paths";
import { textApi } from "~/server/openapi/text-paths";

/** Each action's part of the API. An action without its entry does not compile. */
export const ACTION_APIS: Record<ActionKey, ApiPart> = {
  image: imageApi,
  text: textApi,
};
