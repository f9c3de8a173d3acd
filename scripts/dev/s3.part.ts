import { freePort } from "../lib/free-port";
import { startLocalS3 } from "../sandbox/local-s3";
import { runPart } from "./part";

await runPart(async () => {
  const s3 = await startLocalS3({
    directory: ".data/s3",
    port: await freePort(4_568, "127.0.0.1"),
  });
  return { facts: s3.env, stop: s3.stop };
});
