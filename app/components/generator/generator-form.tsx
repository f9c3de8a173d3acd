import type { SubmissionResult } from "@conform-to/dom";
// biome-ignore lint/style/noRestrictedImports: this page stays open while its images are made.
import { Form } from "@remix-run/react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { CREDITS_PER_IMAGE, type Pack } from "~/catalog";
import { ChoiceTiles } from "~/components/generator/choice-tiles";
import { CostNotes } from "~/components/generator/cost-notes";
import { PromptHistory } from "~/components/generator/prompt-history";
import type { RunningGeneration } from "~/components/generator/shown-generation";
import { Button } from "~/components/ui/button";
import { TextareaField } from "~/components/ui/field";
import { FormErrors } from "~/components/ui/form-errors";
import { type FieldConstraints, formAttributes, serverForm } from "~/components/ui/server-form";
import type { Locale } from "~/i18n/locale";
import type { ImageAccess } from "~/models/images/gallery-image";
import type { generatorFormSchema } from "~/services/images/generator-form";
import { GENERATOR_FORM } from "~/services/images/generator-intent";
import { MAX_IMAGES } from "~/services/images/image-limits";

interface GeneratorFormProps {
  /** Made with the page, so that submitting the same page twice is charged once. */
  formKey: string;
  result: SubmissionResult<string[]> | undefined;
  constraint: FieldConstraints;
  start: { prompt: string; n: number; size: string };
  /** While it runs, the form shows it and waits. */
  running: RunningGeneration | null;
  /** Null for a visitor, who has neither credits nor images yet. */
  member: Member | null;
}

interface Member {
  /** Spendable credits. */
  balance: number;
  /** Credits that the account's monthly limit leaves; null without one. */
  room: number | null;
  /** The packs on sale. */
  packs: Pack[];
  /** Whether this installation sells credits. */
  canBuy: boolean;
  /** Whether buying credits is the page's main action. */
  buyFirst: boolean;
  locale: Locale;
  /** Earlier prompts, newest first. */
  prompts: { generationId: string; prompt: string }[];
  /** Who will be able to open new images; null while storage is off. */
  imageAccess: ImageAccess | null;
  /** The generation in the canvas. */
  shownId: string | null;
}

/** One square per image. */
const COUNT_PICTURES: [number, number, number, number][][] = [
  [[10, 8, 12, 12]],
  [
    [3, 8, 12, 12],
    [17, 8, 12, 12],
  ],
  [
    [4, 2, 11, 11],
    [17, 2, 11, 11],
    [4, 15, 11, 11],
  ],
  [
    [4, 2, 11, 11],
    [17, 2, 11, 11],
    [4, 15, 11, 11],
    [17, 15, 11, 11],
  ],
];

const COUNTS = Array.from({ length: MAX_IMAGES }, (_, index) => index + 1);

/** Ctrl+Enter, or ⌘+Enter on a Mac, sends the form from any of its fields. */
function sendByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/** Prompt, number and shape, and a button that says what the choice costs. */
export function GeneratorForm(props: GeneratorFormProps) {
  const { formKey, result, constraint, start, running, member } = props;
  const t = useTranslations();
  const busy = running !== null;
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Again, too, where the same message is there already.
    const place = "#generator-error, [aria-invalid]";
    if (result) element.current?.querySelector<HTMLElement>(place)?.focus();
  }, [result]);
  const { form, field } = serverForm<keyof z.input<typeof generatorFormSchema>>({
    id: GENERATOR_FORM,
    result,
    constraint,
    defaultValue: { prompt: start.prompt, n: String(start.n), size: start.size },
  });
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
      className="card controls"
      onKeyDown={busy ? undefined : sendByKeys}
    >
      <FormErrors form={form} />
      <TextareaField
        field={field("prompt")}
        label={t("generator.prompt")}
        placeholder={t("generator.promptExample")}
        rows={5}
        readOnly={busy}
      />
      {member ? <PromptHistory prompts={member.prompts} shownId={member.shownId} /> : null}
      <ChoiceTiles
        field={field("n")}
        legend={t("generator.count")}
        disabled={busy}
        tiles={COUNTS.map((count) => ({
          value: String(count),
          label: t("generator.imageCount", { count }),
          shown: String(count),
          squares: COUNT_PICTURES[count - 1] ?? [],
        }))}
      />
      <ChoiceTiles
        field={field("size")}
        legend={t("generator.size")}
        disabled={busy}
        tiles={[
          { value: "square", text: t("generator.square"), squares: [[7, 5, 18, 18]] as const },
          {
            value: "landscape",
            text: t("generator.landscape"),
            squares: [[3, 6, 26, 17]] as const,
          },
          {
            value: "portrait",
            text: t("generator.portrait"),
            squares: [[9.5, 3, 13, 22]] as const,
          },
        ].map(({ value, text, squares: [square] }) => ({
          value,
          label: text,
          shown: text,
          squares: [[...square]],
        }))}
      />
      <input type="hidden" name="formKey" value={formKey} />
      {running ? (
        <>
          <Button size="large" wide disabled>
            {t("generator.busy", { count: running.n })}
          </Button>
          <p className="small quiet center">
            {t("generator.chargedSoFar", { cost: running.n * CREDITS_PER_IMAGE })}
          </p>
        </>
      ) : (
        <>
          <Button
            size="large"
            wide
            look={member?.buyFirst ? "secondary" : "primary"}
            className="generate"
            aria-describedby={member ? "generator-after" : undefined}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            {COUNTS.map((count) => (
              <span key={count} className={`for-count for-count-${count}`}>
                {t("generator.submit", { count })}{" "}
                <span className="cost">
                  {t("generator.cost", { cost: count * CREDITS_PER_IMAGE })}
                </span>
              </span>
            ))}
          </Button>
          <div>
            {member ? (
              <CostNotes
                id="generator-after"
                counts={COUNTS}
                balance={member.balance}
                room={member.room}
                packs={member.packs}
                canBuy={member.canBuy}
              />
            ) : null}
            <p className="small quiet center">{t("generator.promise")}</p>
            {member?.imageAccess ? (
              <p className="small quiet center">
                {member.imageAccess === "public" ? t("generator.public") : t("generator.private")}{" "}
                <a href={`/${member.locale}/account/images`}>{t("generator.changeAccess")}</a>
              </p>
            ) : null}
          </div>
        </>
      )}
    </Form>
  );
}
