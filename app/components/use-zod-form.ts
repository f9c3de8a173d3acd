import { type DefaultValue, type SubmissionResult, useForm } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";

/** What a form's fields are called and hold, as they are posted. */
type Fields = Record<string, unknown>;

/**
 * One of our forms: checked by the server's own schema as one types, and showing what an action
 * answered. `defaultNoValidate` is off, so that the browser checks where no script does.
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
