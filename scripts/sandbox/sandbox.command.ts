import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { integer } from "~/env/formats";
import { runCommand, UsageError } from "../lib/command";
import { PROVIDER_VALUES, requireProvider } from "../lib/provider-option";
import { startImageSandbox } from "./images/image-sandbox";
import { startLocalS3 } from "./local-s3";
import { startPaymentSandbox } from "./payment-sandbox";
import { startTextSandbox } from "./text/text-sandbox";

/** Beside those of `npm run dev`, so that both can run. */
const FIRST_PORT = "4580";
const PORTS = 5;

await runCommand({
  name: "sandbox",
  usage: `Runs the stand-ins for the payment providers, the image providers, the text provider and the bucket alone, at
fixed addresses with fixed keys, for a server that you start yourself: to rehearse a deployment or the
acceptance run without any account. Writes the server's variables to <folder>.env. Ctrl-C ends it.
The service refuses these keys on a public site. docs/sandbox.md has more.`,
  options: {
    webhook: {
      type: "string",
      value: "address",
      default: "http://localhost:3000/api/payments/webhook",
      help: "where the payment events are sent",
    },
    provider: {
      type: "string",
      value: PROVIDER_VALUES,
      default: "stripe",
      help: "the active payment provider",
    },
    port: {
      type: "string",
      value: "port",
      default: FIRST_PORT,
      help: `the first of ${PORTS} ports in a row`,
    },
    folder: {
      type: "string",
      value: "path",
      default: ".data/sandbox",
      help: "what customers bought, and stored files",
    },
  },
  async run({ values, print }) {
    const provider = requireProvider(values.provider);
    if (!URL.canParse(values.webhook)) throw new UsageError("--webhook takes an address");
    const started = await startAll({ ...values, first: readPort(values.port) });
    const file = `${values.folder}.env`;
    const env = { ...started.env, PAYMENTS_PROVIDER: provider };
    const lines = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${lines.join("\n")}\n`);
    print(`payments   ${started.controlUrls[provider]}  (renewals, refunds, disputes)`);
    print(`events to  ${values.webhook}`);
    print(`variables  set -a; . ${file}; set +a`);
    print("ready; Ctrl-C ends it");
    await untilStopped();
    await started.stop();
    return 0;
  },
});

function readPort(text: string): number {
  const { data } = integer(1, 65_535 - PORTS).safeParse(text);
  if (data === undefined) throw new UsageError(`--port takes a port, not '${text}'`);
  return data;
}

/** Starts all at their fixed ports. Throws if one is taken: another address would not fit the environment. */
async function startAll(options: { first: number; webhook: string; folder: string }) {
  const { first, webhook, folder } = options;
  const running: { stop(): Promise<void> }[] = [];
  const stop = async () => void (await Promise.all(running.map((one) => one.stop())));
  try {
    const payments = await startPaymentSandbox({
      stripePort: first,
      creemPort: first + 1,
      webhookUrl: webhook,
      directory: path.join(folder, "payments"),
      fixedKeys: true,
    });
    running.push(payments);
    const images = await startImageSandbox({ port: first + 2 });
    running.push(images);
    const s3 = await startLocalS3({ directory: path.join(folder, "s3"), port: first + 3 });
    running.push(s3);
    const text = await startTextSandbox({ port: first + 4 });
    running.push(text);
    const { controlUrls } = payments;
    return { env: { ...payments.env, ...images.env, ...s3.env, ...text.env }, controlUrls, stop };
  } catch (error) {
    await stop();
    const { code, port } = error as { code?: string; port?: number };
    if (code === "EADDRINUSE")
      throw new Error(`port ${port} is taken: is it running already? --port takes another one`);
    throw error;
  }
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
