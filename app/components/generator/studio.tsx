import type { SubmissionResult } from "@conform-to/dom";
// biome-ignore lint/style/noRestrictedImports: this page stays open while its images are made.
import { useNavigation } from "@remix-run/react";
import { CREDITS_PER_IMAGE, type Pack } from "~/catalog";
import { AbandonedCanvas } from "~/components/generator/abandoned-canvas";
import { DoneCanvas } from "~/components/generator/done-canvas";
import { FailedCanvas } from "~/components/generator/failed-canvas";
import { GeneratorForm } from "~/components/generator/generator-form";
import { IdleCanvas } from "~/components/generator/idle-canvas";
import { RunningCanvas } from "~/components/generator/running-canvas";
import { ShortCanvas } from "~/components/generator/short-canvas";
import type { CanvasGeneration, RunningGeneration } from "~/components/generator/shown-generation";
import { useCanvasFocus } from "~/components/generator/use-canvas-focus";
import type { FieldConstraints } from "~/components/ui/server-form";
import type { Locale } from "~/i18n/locale";
import type { ImageAccess } from "~/models/images/gallery-image";
import { BUY } from "~/services/images/generator-intent";

export interface StudioProps {
  locale: Locale;
  formKey: string;
  constraint: FieldConstraints;
  /** Spendable credits. */
  balance: number;
  /** Credits that the account's monthly limit leaves; null without one. */
  room: number | null;
  /** The packs on sale. */
  packs: Pack[];
  /** Whether this installation sells credits. */
  canBuy: boolean;
  /** The first values of the form. */
  start: { prompt: string; n: number; size: string };
  shown: CanvasGeneration | null;
  /** Earlier prompts, newest first. */
  prompts: { generationId: string; prompt: string }[];
  /** How long a request usually takes; null if that is not known. */
  usualSeconds: number | null;
  /** The file that its owner is asked about before it is deleted; null if there is none. */
  deleting: string | null;
  /** Who will be able to open new images; null while storage is off. */
  imageAccess: ImageAccess | null;
  result?: SubmissionResult<string[]> | undefined;
}

/** The form beside its canvas, which shows where the visitor's request stands. */
export function Studio(props: StudioProps) {
  const { shown, result } = props;
  const running =
    useSentRequest() ?? (shown?.status === "reserved" && !shown.isAbandoned ? shown : null);
  useCanvasFocus(running ? "running" : `${shown?.id} ${shown?.status}`);
  const refusedFor = shortFor(result);
  const isShort = refusedFor !== null || (!shown && props.balance < CREDITS_PER_IMAGE);
  const form = (
    <GeneratorForm
      key="form"
      formKey={props.formKey}
      result={refusedFor === null ? result : withoutFormError(result)}
      constraint={props.constraint}
      start={props.start}
      running={running}
      member={{
        balance: props.balance,
        room: props.room,
        packs: props.packs,
        canBuy: props.canBuy,
        buyFirst: isShort && props.canBuy,
        locale: props.locale,
        prompts: props.prompts,
        imageAccess: props.imageAccess,
        shownId: shown?.id ?? null,
      }}
    />
  );
  if (running) {
    const canvas = (
      <RunningCanvas key="canvas" running={running} usualSeconds={props.usualSeconds} />
    );
    return <div className="studio">{[canvas, form]}</div>;
  }
  if (isShort) {
    const wasRefused = refusedFor !== null;
    const canvas = (
      <ShortCanvas
        key="short"
        balance={props.balance}
        n={refusedFor ?? 1}
        wasRefused={wasRefused}
        packs={props.packs}
        canBuy={props.canBuy}
      />
    );
    return <div className="studio">{[canvas, form]}</div>;
  }
  // On a phone the result comes first, and the form where there is none.
  if (!shown || result) return <div className="studio">{[form, <IdleCanvas key="idle" />]}</div>;
  return (
    <div className="studio">
      {[
        <ShownCanvas
          key="shown"
          shown={shown}
          balance={props.balance}
          deleting={props.deleting}
          formKey={props.formKey}
          locale={props.locale}
        />,
        form,
      ]}
    </div>
  );
}

interface ShownCanvasProps {
  shown: CanvasGeneration;
  balance: number;
  deleting: string | null;
  formKey: string;
  locale: Locale;
}

function ShownCanvas({ shown, balance, deleting, formKey, locale }: ShownCanvasProps) {
  if (shown.status === "settled")
    return <DoneCanvas generation={shown} balance={balance} deleting={deleting} locale={locale} />;
  if (shown.status === "refunded")
    return <FailedCanvas generation={shown} balance={balance} formKey={formKey} />;
  return <AbandonedCanvas />;
}

/** The request that the browser has sent and that the server has not responded to yet. */
function useSentRequest(): RunningGeneration | null {
  const { formMethod, formData } = useNavigation();
  if (formMethod !== "POST" || !formData) return null;
  const text = (name: string) => String(formData.get(name) ?? "");
  if (text("intent") === BUY) return null;
  return { n: Number(text("n")) || 1, size: text("size"), prompt: text("prompt"), seconds: 0 };
}

/** The number of images for which the credits did not suffice; null for any other result. */
function shortFor(result: StudioProps["result"]): number | null {
  if (!result?.error?.[""]?.includes("validation.creditsInsufficient")) return null;
  return Number(result.initialValue?.n) || 1;
}

/** The canvas says it already, with the figures. */
function withoutFormError(result: StudioProps["result"]): StudioProps["result"] {
  return result && { ...result, error: {} };
}
