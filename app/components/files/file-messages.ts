import { useFormatter, useTranslations } from "use-intl";
import { useWait } from "~/i18n/use-wait";
import type { ConfirmFailure } from "~/services/storage/confirm-failure";
import { megabytes } from "~/services/storage/megabytes";

/** An upload's failure: the code of its problem document, and the figures it carries. */
export interface UploadFailure {
  code: string;
  /** Sizes in bytes. */
  figures?: Record<string, unknown>;
}

type RequestFailure =
  | "payload_too_large"
  | "invalid_form"
  | "rate_limited"
  | "uploads_busy"
  | "busy"
  | "request_timeout"
  | "quota_exceeded"
  | "too_many_pending"
  | "email_unverified"
  | "storage_disabled"
  | "unauthenticated";

/** Returns a failed upload's message. Codes that aren't about uploads get the general text. */
export function useUploadFailure(): (failure: UploadFailure) => string {
  const t = useTranslations();
  const format = useFormatter();
  const wait = useWait();
  const limited = (seconds: unknown) =>
    typeof seconds === "number"
      ? `${t("validation.tooMany")} ${wait(seconds)}`
      : t("validation.rateLimited");
  return ({ code, figures = {} }) => {
    const size = (bytes: unknown) => format.number(megabytes(Number(bytes)));
    const texts: Record<ConfirmFailure | RequestFailure, () => string> = {
      file_not_found: () => t("files.failure.notFound"),
      already_confirmed: () => t("files.failure.alreadyConfirmed"),
      file_rejected: () => t("files.failure.rejected"),
      confirm_in_progress: () => t("files.failure.inProgress"),
      object_missing: () => t("files.failure.missing"),
      size_mismatch: () => t("files.failure.size"),
      type_mismatch: () => t("files.failure.type"),
      content_mismatch: () => t("files.failure.content"),
      payload_too_large: () => t("validation.fileTooLarge"),
      invalid_form: () => t("files.failure.brokenOff"),
      rate_limited: () => limited(figures.retryAfterSeconds),
      busy: () => t("files.failure.checksBusy"),
      request_timeout: () => t("files.failure.tooSlow"),
      uploads_busy: () => t("files.failure.busy"),
      quota_exceeded: () =>
        t("files.failure.quota", {
          used: size(figures.used),
          quota: size(figures.quota),
          required: size(figures.required),
        }),
      too_many_pending: () =>
        t("files.failure.pending", {
          pending: Number(figures.pending),
          limit: Number(figures.limit),
        }),
      email_unverified: () => t("files.failure.unverified"),
      storage_disabled: () => t("files.failure.disabled"),
      unauthenticated: () => t("files.failure.signedOut"),
    };
    const text = Object.hasOwn(texts, code) ? texts[code as keyof typeof texts] : undefined;
    return text ? text() : t("files.failure.unexpected");
  };
}
