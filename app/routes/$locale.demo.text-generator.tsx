import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ACTIONS } from "~/catalog";
import { GrowingPage } from "~/components/metering/growing-page";
import { TextareaField } from "~/components/ui/field";
import { textAction } from "~/models/text/text-action.server";
import { actOnGrowingPage, loadGrowingPage } from "~/server/metering/growing-page.server";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;

export const loader = (args: LoaderFunctionArgs) =>
  loadGrowingPage(args, textAction, (t) => t("textGenerator.title"));

export const action = (args: ActionFunctionArgs) => actOnGrowingPage(args, textAction);

export default function TextGenerator() {
  const t = useTranslations();
  const { credits, per } = ACTIONS.text.price;
  return (
    <GrowingPage
      page={useLoaderData<typeof loader>()}
      result={useActionData<typeof action>()?.result}
      lead={t("textGenerator.lead")}
      submit={t("textGenerator.submit")}
      price={t("textGenerator.price", { credits, per })}
    >
      {(field) => (
        <TextareaField
          field={field("prompt")}
          label={t("textGenerator.prompt")}
          placeholder={t("textGenerator.promptExample")}
          rows={8}
        />
      )}
    </GrowingPage>
  );
}
