import { startOnFreePort } from "../lib/free-port";
import { startTextSandbox } from "../sandbox/text/text-sandbox";
import { runPart } from "./part";

/** So that a person sees the text being written. */
const PIECE_MS = 20;

await runPart(async () => {
  const text = await startOnFreePort(4_577, (port) =>
    startTextSandbox({ port, pieceMs: PIECE_MS }),
  );
  return { facts: text.env, stop: text.stop };
});
