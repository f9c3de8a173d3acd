import type { ZodOpenApiPathsObject } from "zod-openapi";

/** A part of the API with a heading of its own. */
export interface ApiPart {
  name: string;
  description: string;
  paths: ZodOpenApiPathsObject;
}
