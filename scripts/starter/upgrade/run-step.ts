import { spawn } from "node:child_process";

interface Step {
  folder: string;
  print: (line: string) => void;
}

/**
 * Runs a command in the project's folder and prints what it prints, or only returns that if it is `quiet`.
 * Doesn't throw if the command fails.
 */
export function runStep(
  { folder, print }: Step,
  [command = "", ...args]: string[],
  { quiet = false } = {},
): Promise<{ passed: boolean; output: string }> {
  print(`$ ${[command, ...args].join(" ")}`);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let rest = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (quiet) return;
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) print(line && `  ${line}`);
      });
    child.once("error", reject);
    child.once("close", (code) => {
      if (rest) print(`  ${rest}`);
      resolve({ passed: code === 0, output });
    });
  });
}
