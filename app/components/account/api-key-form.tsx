import type { SubmissionResult } from "@conform-to/dom";
import { useLocation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { useScopeTexts } from "~/components/account/use-scope-texts";
import { Button, buttonClass } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Field } from "~/components/ui/field";
import { FieldNotes, fieldDescription } from "~/components/ui/field-notes";
import { PostForm } from "~/components/ui/post-form";
import { serverForm } from "~/components/ui/server-form";
import { apiKeySchema } from "~/services/auth/account-forms";
import { API_KEY_SCOPES } from "~/services/auth/api-key-scopes";
import { fieldConstraints } from "~/utils/field-constraints";

interface ApiKeyFormProps {
  /** The proof that the person has to give before. */
  proof: "none" | "password" | "more";
  /** New with each form, so that one sent twice makes one key. */
  formId: string;
  result: SubmissionResult<string[]> | undefined;
}

/** The form that makes a key. Where a form can't ask for the proof, it leads to the page that can. */
export function ApiKeyForm({ proof, formId, result }: ApiKeyFormProps) {
  const t = useTranslations();
  const { pathname } = useLocation();
  const { form, field } = serverForm<keyof z.input<typeof apiKeySchema>>({
    id: "api-key",
    result,
    constraint: fieldConstraints(apiKeySchema),
  });
  if (proof === "more") {
    const query = new URLSearchParams({ redirectTo: pathname });
    return (
      <Card id="make" title={t("apiKeys.makeTitle")}>
        <div className="card-form">
          <p>{t("apiKeys.proveFirst")}</p>
          <p>
            <a
              href={`${pathname.replace(/api-keys$/, "confirm")}?${query}`}
              className={buttonClass({})}
            >
              {t("apiKeys.prove")}
            </a>
          </p>
        </div>
      </Card>
    );
  }
  return (
    <Card id="make" title={t("apiKeys.makeTitle")}>
      <PostForm form={form}>
        <input type="hidden" name="formId" value={formId} />
        <Field field={field("name")} label={t("apiKeys.name")} hint={t("apiKeys.nameHint")} />
        <Scopes chosen={result?.initialValue?.scopes} field={field("scopes")} />
        <Field
          field={field("monthlyLimit")}
          label={t("apiKeys.monthlyLimit")}
          hint={t("apiKeys.monthlyLimitHint")}
        />
        <Field
          field={field("expiresInDays")}
          label={t("apiKeys.expiresInDays")}
          hint={t("apiKeys.expiresInDaysHint")}
        />
        {proof === "password" ? (
          <Field
            field={field("currentPassword")}
            label={t("security.yourPassword")}
            type="password"
            autoComplete="current-password"
          />
        ) : null}
        <Button name="intent" value="make">
          {t("apiKeys.make")}
        </Button>
      </PostForm>
    </Card>
  );
}

interface ScopesProps {
  chosen: unknown;
  field: Parameters<typeof FieldNotes>[0]["field"];
}

function Scopes({ chosen, field }: ScopesProps) {
  const t = useTranslations();
  const texts = useScopeTexts();
  const isChosen = (scope: string) => [chosen].flat().includes(scope);
  return (
    <fieldset
      className="field"
      id={field.id}
      aria-describedby={fieldDescription(field, false)}
      aria-invalid={field.errors ? true : undefined}
    >
      <legend className="label">{t("apiKeys.scopes")}</legend>
      {API_KEY_SCOPES.map((scope) => (
        <label key={scope} className="flex min-h-6 items-center gap-3">
          <input
            type="checkbox"
            name="scopes"
            value={scope}
            defaultChecked={isChosen(scope)}
            className="size-4 accent-accent"
          />
          {texts[scope]}
        </label>
      ))}
      <FieldNotes field={field} />
    </fieldset>
  );
}
