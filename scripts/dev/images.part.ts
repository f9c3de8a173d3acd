import { freePort } from "../lib/free-port";
import { startImageSandbox } from "../sandbox/images/image-sandbox";
import { runPart } from "./part";

await runPart(async () => {
  const images = await startImageSandbox({ port: await freePort(4_569, "127.0.0.1") });
  return { facts: images.env, stop: images.stop };
});
