import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";

type ReturnStatus = "verified" | "deferred";

/**
 * Shows whether the provider signed the return address, for providers that sign it. Informational
 * only: the page already says everything important without it.
 */
export function ReturnNote() {
  const t = useTranslations();
  const [status, setStatus] = useState<ReturnStatus | null>(null);
  useEffect(() => {
    const parameters = new URLSearchParams(window.location.search);
    if (!parameters.has("signature")) return;
    const leaving = new AbortController();
    askWhetherSigned(parameters, leaving.signal).then(setStatus, () => undefined);
    return () => leaving.abort();
  }, []);
  return (
    <p aria-live="polite" className="empty:hidden">
      {status === "verified" ? t("checkout.verified") : null}
      {status === "deferred" ? t("checkout.deferred") : null}
    </p>
  );
}

/** Sends the parameters in their original order, because the signature covers the order. */
async function askWhetherSigned(
  parameters: URLSearchParams,
  signal: AbortSignal,
): Promise<ReturnStatus> {
  const response = await fetch("/api/payments/confirm", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(Object.fromEntries(parameters)),
    signal,
  });
  if (!response.ok) return "deferred";
  const { status } = (await response.json()) as { status: ReturnStatus };
  return status;
}
