import type { SubmissionResult } from "@conform-to/dom";
// biome-ignore lint/style/noRestrictedImports: this page stays open while its images are made.
import { Form, useNavigation, useParams } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { Button } from "~/components/button";
import { ChoiceGroup } from "~/components/choice-group";
import { TextareaField } from "~/components/field";
import { FormErrors } from "~/components/form-errors";
import { type FieldConstraints, formAttributes, serverForm } from "~/components/server-form";
import type { generatorFormSchema } from "~/services/images/generator-form";
import { MAX_IMAGES } from "~/services/images/image-limits";

interface GeneratorFormProps {
  /** Made with the page, so that submitting the same page twice is charged once. */
  formKey: string;
  /** Spendable credits. */
  balance: number;
  result: SubmissionResult<string[]> | undefined;
  constraint: FieldConstraints;
  defaultPrompt: string | undefined;
}

const COUNTS = Array.from({ length: MAX_IMAGES }, (_, index) => index + 1);

/** Prompt, number and shape. Shows what each choice costs before it is sent. */
export function GeneratorForm(props: GeneratorFormProps) {
  const { formKey, balance, result, constraint, defaultPrompt } = props;
  const t = useTranslations();
  const { locale } = useParams();
  const busy = useNavigation().formMethod === "POST";
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (result) element.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [result]);
  const { form, field } = serverForm<keyof z.input<typeof generatorFormSchema>>({
    id: `generator-${formKey}`,
    result,
    constraint,
    defaultValue: { prompt: defaultPrompt, n: "1", size: "square" },
  });
  const sizes = [
    { value: "square", label: t("generator.square") },
    { value: "landscape", label: t("generator.landscape") },
    { value: "portrait", label: t("generator.portrait") },
  ];
  return (
    // The key is in the address too: posting to the page's own address would drop the page from the
    // cache that the Back button uses.
    <Form
      // A new page has a new form: typed values must not outlive their key.
      key={formKey}
      ref={element}
      method="post"
      action={`?form=${formKey}`}
      {...formAttributes(form)}
      className="grid max-w-form gap-5"
    >
      <FormErrors form={form} />
      <p>
        {t("generator.balance", { balance })}{" "}
        <a href={`/${locale}/account/credits`} className="text-accent underline">
          {t("generator.history")}
        </a>
      </p>
      <TextareaField
        field={field("prompt")}
        label={t("generator.prompt")}
        hint={t("generator.promptHint")}
        rows={4}
      />
      <ChoiceGroup
        field={field("n")}
        legend={t("generator.count")}
        choices={COUNTS.map((count) => ({
          value: String(count),
          label: t("generator.countAndCost", { count, cost: count * CREDITS_PER_IMAGE }),
        }))}
      />
      <ChoiceGroup field={field("size")} legend={t("generator.size")} choices={sizes} />
      <input type="hidden" name="formKey" value={formKey} />
      <Button disabled={busy}>{busy ? t("generator.busy") : t("generator.submit")}</Button>
      <p aria-live="polite" className="text-sm text-ink-muted empty:hidden">
        {busy ? t("generator.busyHint") : ""}
      </p>
    </Form>
  );
}
