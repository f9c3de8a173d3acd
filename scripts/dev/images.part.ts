import { startOnFreePort } from "../lib/free-port";
import { startImageSandbox } from "../sandbox/images/image-sandbox";
import { runPart } from "./part";

await runPart(async () => {
  const images = await startOnFreePort(4_569, (port) => startImageSandbox({ port }));
  return { facts: images.env, stop: images.stop };
});
