import { getZodConstraint } from "@conform-to/zod/v4";
import { z } from "zod";

/**
 * Returns the HTML attributes of a form's fields, made of its schema. Conform reads lengths where zod 4.6 no longer
 * keeps them, so they are added here.
 */
export function fieldConstraints(schema: z.ZodObject): ReturnType<typeof getZodConstraint> {
  const constraints = getZodConstraint(schema);
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, type]) => [
      name,
      { ...constraints[name], ...lengthsOf(type) },
    ]),
  );
}

function lengthsOf(type: unknown): { minLength?: number; maxLength?: number } {
  if (type instanceof z.ZodOptional) return lengthsOf(type.unwrap());
  if (type instanceof z.ZodPipe) return lengthsOf(type.in);
  if (!(type instanceof z.ZodString)) return {};
  const { minLength, maxLength } = type;
  return {
    ...(minLength === null ? {} : { minLength }),
    ...(maxLength === null ? {} : { maxLength }),
  };
}
