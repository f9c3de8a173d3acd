import type { SubmissionResult } from "@conform-to/dom";
import type { getZodConstraint } from "@conform-to/zod/v4";

/** HTML attributes by field, made of the form's schema. */
export type FieldConstraints = ReturnType<typeof getZodConstraint>;

/** A field as the shared controls show it. */
export interface FormField {
  name: string;
  id: string;
  errorId: string;
  /** Message keys, or texts. */
  errors: string[] | undefined;
  /** The value it begins with. */
  value: string | undefined;
  constraint: Pick<
    FieldConstraints[string],
    "required" | "minLength" | "maxLength" | "min" | "max" | "pattern"
  >;
}

interface ServerForm<Name extends string> {
  id: string;
  /** The action's result: the values to show again, and the messages. */
  result: SubmissionResult<string[]> | undefined;
  constraint?: FieldConstraints;
  defaultValue?: Partial<Record<Name, string | undefined>>;
}

/**
 * Returns the parts of a form that the server validates: the browser checks the HTML attributes, and
 * the page shows the server's messages. It holds no state, so that a page without script needs none.
 */
export function serverForm<Name extends string>({
  id,
  result,
  constraint = {},
  defaultValue = {},
}: ServerForm<Name>) {
  const values: Record<string, unknown> = result?.initialValue ?? defaultValue;
  const errorId = `${id}-error`;
  const errors = result?.error?.[""] ?? undefined;
  return {
    form: { id, errorId, errors },
    field(name: Name): FormField {
      const value = values[name];
      return {
        name,
        id: `${id}-${name}`,
        errorId: `${id}-${name}-error`,
        errors: result?.error?.[name] ?? undefined,
        value: typeof value === "string" ? value : undefined,
        constraint: constraint[name] ?? {},
      };
    },
  };
}

/** Returns the attributes of a form element that holds `form`. */
export function formAttributes({ id, errorId, errors }: ReturnType<typeof serverForm>["form"]) {
  return { id, ...(errors ? { "aria-invalid": true, "aria-describedby": errorId } : {}) };
}

/**
 * Returns the attributes that every control of a field has. The first faulty field of a page gets the
 * focus when the page is loaded.
 */
export function controlAttributes({ id, name, errors, constraint }: FormField) {
  const { required, minLength, maxLength, min, max, pattern } = constraint;
  return {
    id,
    name,
    required,
    minLength,
    maxLength,
    min,
    max,
    pattern,
    ...(errors ? { "aria-invalid": true, autoFocus: true } : {}),
  };
}
