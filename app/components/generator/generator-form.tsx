import { getFormProps, getTextareaProps, type SubmissionResult, useForm } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { Form, Link, useNavigation, useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { Button } from "~/components/button";
import { ChoiceGroup } from "~/components/choice-group";
import { FieldNotes, fieldDescription } from "~/components/field-notes";
import { Notice } from "~/components/notice";
import { useMessage } from "~/i18n/use-message";
import { MAX_IMAGES } from "~/services/images/generation-request";
import { generatorFormSchema } from "~/services/images/generator-form";

interface GeneratorFormProps {
  /** Made with the page, so that submitting the same page twice is charged once. */
  formKey: string;
  /** Spendable credits. */
  balance: number;
  result: SubmissionResult<string[]> | undefined;
  defaultPrompt: string | undefined;
}

const COUNTS = Array.from({ length: MAX_IMAGES }, (_, index) => index + 1);

/** Prompt, number and shape. Shows what each choice costs before it is sent. */
export function GeneratorForm({ formKey, balance, result, defaultPrompt }: GeneratorFormProps) {
  const t = useTranslations();
  const message = useMessage();
  const { locale } = useParams();
  const busy = useNavigation().formMethod === "POST";
  const [form, fields] = useForm<z.input<typeof generatorFormSchema>>({
    // A new page has a new form: the form's state must not outlive its key.
    id: `generator-${formKey}`,
    lastResult: result ?? null,
    defaultValue: { prompt: defaultPrompt, n: "1", size: "square" },
    constraint: getZodConstraint(generatorFormSchema),
    onValidate: ({ formData }) => parseWithZod(formData, { schema: generatorFormSchema }),
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  const { key, ...prompt } = getTextareaProps(fields.prompt);
  const sizes = [
    { value: "square", label: t("generator.square") },
    { value: "landscape", label: t("generator.landscape") },
    { value: "portrait", label: t("generator.portrait") },
  ];
  return (
    // The key is in the address too: posting to the page's own address would drop the page from the
    // cache that the Back button uses.
    <Form
      method="post"
      action={`?form=${formKey}`}
      {...getFormProps(form)}
      className="grid max-w-form gap-5"
    >
      {form.errors ? (
        <div id={form.errorId}>
          <Notice tone="danger">{form.errors.map(message).join(" ")}</Notice>
        </div>
      ) : null}
      <p>
        {t("generator.balance", { balance })}{" "}
        <Link to={`/${locale}/account/credits`} className="text-accent underline">
          {t("generator.history")}
        </Link>
      </p>
      <div className="grid gap-1">
        <label htmlFor={fields.prompt.id} className="font-medium">
          {t("generator.prompt")}
        </label>
        <textarea
          key={key}
          {...prompt}
          rows={4}
          aria-describedby={fieldDescription(fields.prompt, true)}
          className="rounded-md border border-line-strong bg-page px-3 py-2 aria-invalid:border-danger"
        />
        <FieldNotes field={fields.prompt} hint={t("generator.promptHint")} />
      </div>
      <ChoiceGroup
        field={fields.n}
        legend={t("generator.count")}
        choices={COUNTS.map((count) => ({
          value: String(count),
          label: t("generator.countAndCost", { count, cost: count * CREDITS_PER_IMAGE }),
        }))}
      />
      <ChoiceGroup field={fields.size} legend={t("generator.size")} choices={sizes} />
      <input type="hidden" name="formKey" value={formKey} />
      <Button disabled={busy}>{busy ? t("generator.busy") : t("generator.submit")}</Button>
      <p aria-live="polite" className="text-sm text-ink-muted empty:hidden">
        {busy ? t("generator.busyHint") : ""}
      </p>
    </Form>
  );
}
