import { type DefaultValue, type SubmissionResult, useForm } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";

/** Names and values of a form's fields, as posted. */
type Fields = Record<string, unknown>;

/**
 * Sets up a form that is validated in the browser with the server's schema and shows the action's
 * result. `defaultNoValidate` is off, so that the browser's own checks work without JavaScript.
 */
export function useZodForm<Input extends Fields, Output>({
  id,
  schema,
  result,
  defaultValue,
}: {
  id: string;
  schema: z.ZodType<Output, Input>;
  result: SubmissionResult<string[]> | undefined;
  defaultValue?: DefaultValue<Input>;
}) {
  return useForm<Input, Output, string[]>({
    id,
    lastResult: result ?? null,
    ...(defaultValue === undefined ? {} : { defaultValue }),
    constraint: getZodConstraint(schema),
    onValidate: ({ formData }) => parseWithZod(formData, { schema }),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
}
