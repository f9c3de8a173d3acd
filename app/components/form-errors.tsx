import { Notice } from "~/components/notice";
import { Refusal } from "~/components/refusal";
import { useMessage } from "~/i18n/use-message";

/** Errors of a form as a whole, shown above its fields. */
export function FormErrors({
  form: { errors, errorId },
}: {
  form: { errors: string[] | undefined; errorId: string };
}) {
  const message = useMessage();
  if (!errors) return null;
  return (
    <Refusal id={errorId}>
      <Notice tone="danger">{errors.map(message).join(" ")}</Notice>
    </Refusal>
  );
}
