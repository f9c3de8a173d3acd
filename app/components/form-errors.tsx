import type { FormMetadata } from "@conform-to/react";
import { Notice } from "~/components/notice";
import { useMessage } from "~/i18n/use-message";

/** Errors of a form as a whole, shown above its fields. */
export function FormErrors({
  form,
}: {
  form: Pick<FormMetadata<never, string[]>, "errors" | "errorId">;
}) {
  const message = useMessage();
  if (!form.errors) return null;
  return (
    <div id={form.errorId}>
      <Notice tone="danger">{form.errors.map(message).join(" ")}</Notice>
    </div>
  );
}
