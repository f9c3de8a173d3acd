import { useTranslations } from "use-intl";
import type { ConfirmFailure } from "~/services/storage/confirm-failure";

type RequestFailure =
  | "payload_too_large"
  | "invalid_form"
  | "rate_limited"
  | "storage_disabled"
  | "unauthenticated";

/** What went wrong with an upload, in words; a code that is not an upload's gets the general text. */
export function useUploadFailure(): (code: string) => string {
  const t = useTranslations();
  const texts: Record<ConfirmFailure | RequestFailure, string> = {
    file_not_found: t("files.failure.notFound"),
    already_confirmed: t("files.failure.alreadyConfirmed"),
    file_rejected: t("files.failure.rejected"),
    object_missing: t("files.failure.missing"),
    size_mismatch: t("files.failure.size"),
    type_mismatch: t("files.failure.type"),
    content_mismatch: t("files.failure.content"),
    payload_too_large: t("validation.fileTooLarge"),
    invalid_form: t("files.failure.brokenOff"),
    rate_limited: t("validation.rateLimited"),
    storage_disabled: t("files.failure.disabled"),
    unauthenticated: t("files.failure.signedOut"),
  };
  return (code) => (texts as Record<string, string>)[code] ?? t("files.failure.unexpected");
}
