import { freePort } from "../lib/free-port";
import { startPaymentSandbox } from "../sandbox/payment-sandbox";
import { runPart } from "./part";

await runPart(async () => {
  const webhookUrl = process.env.PAYMENT_SANDBOX_WEBHOOK_URL;
  if (!webhookUrl) throw new Error("PAYMENT_SANDBOX_WEBHOOK_URL is not set");
  const sandbox = await startPaymentSandbox({
    stripePort: await freePort(4_570, "127.0.0.1"),
    creemPort: await freePort(4_571, "127.0.0.1"),
    webhookUrl,
    directory: ".data/payments",
  });
  return { facts: sandbox.env, stop: sandbox.stop };
});
