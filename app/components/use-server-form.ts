import { type DefaultValue, type SubmissionResult, useForm } from "@conform-to/react";
import type { getZodConstraint } from "@conform-to/zod/v4";

/** HTML attributes by field, made of the form's schema by its page's loader. */
export type FieldConstraints = ReturnType<typeof getZodConstraint>;

/** Names and values of a form's fields, as posted. */
type Fields = Record<string, unknown>;

interface ServerForm<Input extends Fields> {
  id: string;
  result: SubmissionResult<string[]> | undefined;
  constraint?: FieldConstraints;
  defaultValue?: DefaultValue<Input>;
}

/**
 * Sets up a form that the server alone validates, so that its page loads no schema library. Without
 * JavaScript the browser checks the HTML attributes first.
 */
export function useServerForm<Input extends Fields>({
  id,
  result,
  constraint,
  defaultValue,
}: ServerForm<Input>) {
  return useForm<Input, Input, string[]>({
    id,
    lastResult: result ?? null,
    ...(constraint === undefined ? {} : { constraint }),
    ...(defaultValue === undefined ? {} : { defaultValue }),
    defaultNoValidate: false,
  });
}
