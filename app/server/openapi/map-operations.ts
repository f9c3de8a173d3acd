import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from "zod-openapi";

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

type Method = (typeof METHODS)[number];

/** Returns the same paths with each operation changed. */
export function mapOperations(
  paths: ZodOpenApiPathsObject,
  change: (
    operation: ZodOpenApiOperationObject,
    place: { method: Method; address: string },
  ) => ZodOpenApiOperationObject,
): ZodOpenApiPathsObject {
  return Object.fromEntries(
    Object.entries(paths).map(([address, item]) => {
      const operations = METHODS.flatMap((method) => {
        const operation = item[method];
        return operation ? [[method, change(operation, { method, address })]] : [];
      });
      return [address, { ...item, ...Object.fromEntries(operations) }];
    }),
  );
}
