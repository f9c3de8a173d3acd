import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

const PROGRAM = `
  import { runCommand } from "./scripts/lib/command.ts";
  await runCommand({
    name: "long",
    usage: "Prints for ever.",
    async run({ print }) {
      for (;;) {
        print("a line");
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  });`;

test("a command whose reader has read enough ends without an error", async () => {
  const args = ["--import", "tsx", "--input-type=module", "--eval", PROGRAM];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const complaints = text(child.stderr);
  child.stdout.once("data", () => child.stdout.destroy());
  const [code] = await once(child, "exit");
  expect({ code, complaints: await complaints }).toEqual({ code: 0, complaints: "" });
});
