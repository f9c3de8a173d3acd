import { startOnFreePort } from "../lib/free-port";
import { startPaymentSandbox } from "../sandbox/payment-sandbox";
import { runPart } from "./part";

await runPart(async () => {
  const webhookUrl = process.env.PAYMENT_SANDBOX_WEBHOOK_URL;
  if (!webhookUrl) throw new Error("PAYMENT_SANDBOX_WEBHOOK_URL is not set");
  const sandbox = await startOnFreePort(4_570, (stripePort) =>
    startOnFreePort(4_571, (creemPort) =>
      startPaymentSandbox({ stripePort, creemPort, webhookUrl, directory: ".data/payments" }),
    ),
  );
  return { facts: sandbox.env, stop: sandbox.stop };
});
