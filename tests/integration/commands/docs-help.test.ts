import { expect, test } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { COMMANDS } from "../../../scripts/commands.mjs";
import { readFolder } from "../../../scripts/lib/read-files";
import { runScript } from "../../helpers/run-script";

/** Every `--help` in a terminal session of the docs, with the output shown there. */
const SHOWN = readFolder("docs", /\.md$/).flatMap(({ file, text }) =>
  [...text.matchAll(/^\$ npm run (\S+) -- --help\n([\s\S]*?)\n```$/gm)].map(
    ([, command = "", output = ""]) => [file, command, output] as const,
  ),
);

const scripts: Record<string, string> = packageJson.scripts;

test.each(SHOWN)("%s shows what %s --help prints", async (_file, command, output) => {
  const script = COMMANDS[command] ?? scripts[command]?.replace("node --import tsx ", "") ?? "";
  const { stdout } = await runScript(script, ["--help"], {});
  expect(stdout).toBe(`${output}\n`);
});

test("the docs show some --help output", () => {
  expect(SHOWN.length).toBeGreaterThan(0);
});
