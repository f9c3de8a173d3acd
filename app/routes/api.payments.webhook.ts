import { processDelivery } from "~/models/webhooks/processing.server";
import { noteRefusedWebhook } from "~/server/payments/refused-webhooks.server";
import { apiRoute } from "~/server/request/api-route.server";
import { readBytes } from "~/server/request/read-body.server";
import { requireActiveProvider } from "~/services/payments/get-payment-provider.server";
import { AppError } from "~/utils/app-error";
import { count } from "~/utils/metrics.server";

/** Providers send some kilobytes; nobody is known before the signature was checked. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;

const route = apiRoute({
  async POST({ request }) {
    const payload = await readBytes(request, MAX_PAYLOAD_BYTES);
    const provider = requireActiveProvider();
    const result = provider.verifyWebhook(payload, request.headers);
    switch (result.status) {
      case "invalid_signature":
        await noteRefusedWebhook({ provider: provider.name, reason: result.reason });
        throw new AppError({
          code: "invalid_signature",
          publicMessage:
            "The signature is missing, too old, or doesn't match this body. Nothing was stored. Check the webhook's signing secret.",
        });
      case "invalid_payload":
        count("rcs_webhooks_total", { provider: provider.name, outcome: "unreadable" });
        throw new AppError({
          code: "invalid_payload",
          publicMessage:
            "The body isn't a JSON object. Nothing was stored. Send the event as the provider wrote it.",
        });
      case "verified": {
        const { delivery } = result;
        const { status } = await processDelivery({ provider: provider.name, delivery, payload });
        if (status !== "failed") return { deduped: status === "deduped" };
        throw new AppError({
          code: "webhook_failed",
          publicMessage:
            "We stored the event, but couldn't process it yet. Deliver it again, or wait: we retry it, too.",
        });
      }
    }
  },
});

export const loader = route.loader;
export const action = route.action;
