import type { SubmissionResult } from "@conform-to/dom";
import { useTranslations } from "use-intl";
import { FreeCredits } from "~/components/free-credits";
import { GeneratorForm } from "~/components/generator/generator-form";
import { IdleCanvas } from "~/components/generator/idle-canvas";
import type { StudioProps } from "~/components/generator/studio";
import { Notice } from "~/components/ui/notice";

interface SignedOutStudioProps extends Pick<StudioProps, "formKey" | "constraint" | "start"> {
  result: SubmissionResult<string[]> | undefined;
  /** Credits of a new account. */
  freeCredits: number;
}

/** The studio of a visitor: the real form. Sending it leads to an account, and back to the filled form. */
export function SignedOutStudio({ freeCredits, ...form }: SignedOutStudioProps) {
  const t = useTranslations();
  return (
    <>
      <div className="pb-5">
        <Notice tone={freeCredits > 0 ? "coin" : "info"}>
          {freeCredits > 0 ? <FreeCredits credits={freeCredits} hasImages /> : null}{" "}
          {t("generator.signedOut")}
        </Notice>
      </div>
      <div className="studio">
        {[
          <GeneratorForm key="form" running={null} member={null} {...form} />,
          <IdleCanvas key="idle" />,
        ]}
      </div>
    </>
  );
}
