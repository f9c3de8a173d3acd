import { WriteToUs } from "~/components/support/write-to-us";
import { Notice } from "~/components/ui/notice";
import { Refusal } from "~/components/ui/refusal";
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
      <Notice tone="bad">
        {errors.map(message).join(" ")}{" "}
        {errors.includes("validation.accountDisabled") ? <WriteToUs /> : null}
      </Notice>
    </Refusal>
  );
}
