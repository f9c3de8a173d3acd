import type { ComponentPropsWithoutRef } from "react";
import { FormErrors } from "~/components/ui/form-errors";
import { formAttributes, type serverForm } from "~/components/ui/server-form";

interface PostFormProps extends ComponentPropsWithoutRef<"form"> {
  form: ReturnType<typeof serverForm>["form"];
}

/** A form that posts to its page, with the errors of the form as a whole above its fields. */
export function PostForm({ form, className = "card-form", children, ...more }: PostFormProps) {
  return (
    <form method="post" {...formAttributes(form)} className={className} {...more}>
      <FormErrors form={form} />
      {children}
    </form>
  );
}
