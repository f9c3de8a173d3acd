import { AppError } from "~/utils/app-error";

/** The provider failed. 502, since it is not the caller's fault. */
export function providerError(cause: unknown): AppError {
  return new AppError({
    code: "provider_error",
    publicMessage:
      "We couldn't reach the payment provider, or it refused the request. Nothing was charged. Try again in a minute.",
    cause,
  });
}

/** A provider's refusal, for the log and for operators who check its settings. */
export class ProviderRefusal extends Error {
  /** The HTTP status. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "ProviderRefusal";
    this.status = status;
  }
}

/** The status and message of the provider's refusal. The status is null if it did not respond. */
export function refusalOf(error: unknown): { status: number | null; reason: string } {
  const cause = error instanceof AppError ? error.cause : error;
  if (cause instanceof ProviderRefusal) return { status: cause.status, reason: cause.message };
  return { status: null, reason: cause instanceof Error ? cause.message : String(cause) };
}

/** A required setting is missing: 503. The variables' names go only to the log. */
export function paymentsUnavailable(missing: string[]): AppError {
  return new AppError({
    code: "payments_unavailable",
    publicMessage:
      "This can't be paid for on this server, because payments for it aren't set up. Nothing was charged or changed.",
    cause: new Error(`not set: ${missing.join(", ")}`),
  });
}
