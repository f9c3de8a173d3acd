import { startOnFreePort } from "../lib/free-port";
import { startLocalS3 } from "../sandbox/local-s3";
import { runPart } from "./part";

await runPart(async () => {
  const s3 = await startOnFreePort(4_568, (port) => startLocalS3({ directory: ".data/s3", port }));
  return { facts: s3.env, stop: s3.stop };
});
