import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { startImageSandbox } from "../../../scripts/sandbox/images/image-sandbox";
import { startLocalS3 } from "../../../scripts/sandbox/local-s3";
import { startMailSandbox } from "../../../scripts/sandbox/mail/mail-sandbox";
import { startPaymentSandbox } from "../../../scripts/sandbox/payment-sandbox";
import { startTextSandbox } from "../../../scripts/sandbox/text/text-sandbox";
import { type Listener, type Road, startHttpProxy, startTcpProxy } from "./proxy";

/** The ways to the stand-ins, each of which can be cut. */
export type RoadName = "payments" | "images" | "texts" | "storage" | "mail";

export type ProviderName = "stripe" | "creem";

/** An event of a payment provider. It is signed anew each time it is delivered. */
export interface ProviderEvent {
  provider: ProviderName;
  id: string;
  type: string;
  body: string;
}

export interface Mail {
  to: string;
  subject: string;
}

export interface StandIns {
  env: Record<string, string>;
  controls: Record<ProviderName, string>;
  roads: Record<RoadName, Road>;
  /** The files in the store that are this account's. */
  objectsOf(userId: string): Promise<string[]>;
  stop(): Promise<void>;
}

interface Listeners {
  onEvent(event: ProviderEvent): void;
  onMail(mail: Mail): void;
  /** Calls for images and for texts that reached their provider. */
  exchanges: Listener;
}

/** Everything outside the service, each behind a road of its own. Payment events come here and are not delivered. */
export async function startStandIns(folder: string, listeners: Listeners): Promise<StandIns> {
  const receiver = await startReceiver(listeners.onEvent);
  const payments = await startPaymentSandbox({
    stripePort: 0,
    creemPort: 0,
    webhookUrl: receiver.url,
  });
  const images = await startImageSandbox({ port: 0 });
  const texts = await startTextSandbox({ port: 0 });
  const directory = path.join(folder, "s3");
  const storage = await startLocalS3({ directory, port: 0 });
  const mail = await startMailSandbox({
    port: 0,
    onMail: ({ to, subject }) => listeners.onMail({ to: String(to), subject: String(subject) }),
  });
  const behind = async (road: RoadName, address: string) => {
    const port = Number(new URL(address).port);
    if (road === "mail") return startTcpProxy(port);
    const isProvider = road === "images" || road === "texts";
    return startHttpProxy(port, isProvider ? listeners.exchanges : null);
  };
  const stripe = await behind("payments", payments.env.PROVIDER_A_API_BASE ?? "");
  const creem = await behind("payments", payments.env.PROVIDER_B_API_BASE ?? "");
  const roads = {
    payments: both(stripe, creem),
    images: await behind("images", images.controlUrl),
    texts: await behind("texts", texts.env.TEXT_PROVIDER_API_BASE),
    storage: await behind("storage", storage.env.S3_ENDPOINT),
    mail: await behind("mail", mail.env.SMTP_URL),
  };
  const at = (port: number, rest = "") => `http://127.0.0.1:${port}${rest}`;
  return {
    env: {
      ...payments.env,
      ...images.env,
      ...texts.env,
      ...storage.env,
      ...mail.env,
      PROVIDER_A_API_BASE: at(stripe.port),
      PROVIDER_B_API_BASE: at(creem.port),
      IMAGE_PROVIDER_1_API_BASE: at(roads.images.port, "/fal"),
      IMAGE_PROVIDER_2_API_BASE: at(roads.images.port, "/replicate"),
      IMAGE_PROVIDER_3_API_BASE: at(roads.images.port, "/openai"),
      TEXT_PROVIDER_API_BASE: at(roads.texts.port),
      S3_ENDPOINT: at(roads.storage.port),
      SMTP_URL: mail.env.SMTP_URL.replace(/:\d+$/, `:${roads.mail.port}`),
    },
    controls: payments.controlUrls,
    roads,
    async objectsOf(userId) {
      const bucket = path.join(directory, storage.env.S3_BUCKET_NAME);
      const files = await readdir(bucket, { recursive: true });
      // The store keeps an object's headers and sum beside it, each in a file of its own.
      return files.filter((file) => file.includes(userId) && file.endsWith("_object"));
    },
    async stop() {
      for (const road of Object.values(roads)) road.stop();
      await Promise.all([
        payments.stop(),
        images.stop(),
        texts.stop(),
        storage.stop(),
        mail.stop(),
      ]);
      receiver.stop();
    },
  };
}

const both = (one: Road, other: Road): Road => ({
  port: one.port,
  underWay: () => [...one.underWay(), ...other.underWay()],
  met: () => one.met() + other.met(),
  set(weather) {
    one.set(weather);
    other.set(weather);
  },
  stop() {
    one.stop();
    other.stop();
  },
});

/** Takes what the providers send, in the service's place: the run decides what arrives when, how often and where. */
async function startReceiver(onEvent: Listeners["onEvent"]) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    const { id, type, eventType } = JSON.parse(body) as Record<string, string>;
    const provider = "stripe-signature" in request.headers ? "stripe" : "creem";
    onEvent({ provider, id: String(id), type: String(type ?? eventType), body });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => void server.close(),
  };
}
