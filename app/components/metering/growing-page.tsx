import type { SubmissionResult } from "@conform-to/dom";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { DoneNotice } from "~/components/done-notice";
import { FreeCredits } from "~/components/free-credits";
import { EstimateNote } from "~/components/metering/estimate-note";
import { GrowingResult } from "~/components/metering/growing-result";
import { PlainScript } from "~/components/plain-script";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Notice } from "~/components/ui/notice";
import { PageHead } from "~/components/ui/page-head";
import { PostForm } from "~/components/ui/post-form";
import { type FormField, serverForm } from "~/components/ui/server-form";
import type { loadGrowingPage } from "~/server/metering/growing-page.server";

interface GrowingPageProps {
  page: Awaited<ReturnType<typeof loadGrowingPage>>;
  /** The action's result: the values to show again, and the messages. */
  result: SubmissionResult<string[]> | undefined;
  lead: string;
  submit: string;
  /** The price, in a sentence. */
  price: string;
  /** The fields of the form. */
  children: (field: (name: string) => FormField) => ReactNode;
}

/** The page of an action whose result grows: its form, the result as it comes, and earlier ones. */
export function GrowingPage({ page, result, lead, submit, price, children }: GrowingPageProps) {
  const t = useTranslations();
  const { done, shown, earlier, freeCredits, formKey, constraint, start } = page;
  const { form, field } = serverForm({ id: page.action, result, constraint, defaultValue: start });
  return (
    <main id="main">
      <div className="wrap page">
        <PageHead title={page.title} lead={lead} />
        <div className="stack stack-3 pb-5 empty:hidden">
          <DoneNotice done={done} texts={{ deleted: t("growing.deleted") }} />
          {done === "running" ? <Notice tone="warn">{t("growing.stillRunning")}</Notice> : null}
          {freeCredits === null ? null : (
            <Notice tone={freeCredits > 0 ? "coin" : "info"}>
              {freeCredits > 0 ? <FreeCredits credits={freeCredits} hasImages={false} /> : null}{" "}
              {t("growing.signedOut")}
            </Notice>
          )}
        </div>
        <div className="studio">
          <PostForm form={form} className="card controls" data-run-form="">
            {children(field)}
            <input type="hidden" name="formKey" value={formKey} />
            <Button size="large" wide>
              {submit}
            </Button>
            {page.estimate ? (
              <p className="small muted center">
                <EstimateNote estimate={page.estimate} />
              </p>
            ) : null}
            <p className="small quiet center">{price}</p>
          </PostForm>
          <GrowingResult shown={shown} />
        </div>
        {earlier.length > 0 ? (
          <div className="pt-5">
            <Card id="earlier" title={t("growing.earlier")}>
              <ul className="stack stack-2 pt-2">
                {earlier.map(({ id, subject }) => (
                  <li key={id}>
                    <a href={`?run=${id}`} className="link-24">
                      {subject}
                    </a>
                  </li>
                ))}
              </ul>
            </Card>
          </div>
        ) : null}
        <PlainScript src="/growing-page.js" />
      </div>
    </main>
  );
}
