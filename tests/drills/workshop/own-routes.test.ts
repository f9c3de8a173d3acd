import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { editFile } from "../../../scripts/starter/init/edit-file";
import { cloneCopy, moveIn } from "../../../scripts/workshop/react-router/moved-copy";
import { createClient } from "../../helpers/client";
import { DEMO, withDevClone } from "../../helpers/dev-clone";
import { fillIn, readDocBlock } from "../../helpers/doc-blocks";
import { addSummaryAction, buySummary } from "../../helpers/summary-action";
import { writeIn } from "../../helpers/write-in";
import { MENDED, OWN_ROUTES, OWN_TEST } from "./own-routes";
import { runNpm } from "./run-npm";

const { folder, runDev } = withDevClone(cloneCopy);

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], {
    cwd: folder(),
    encoding: "utf8",
  });

function commit(message: string): void {
  git("add", "--all");
  git("commit", "--quiet", "-m", message);
}

test("three routes and an action of a team's own move to React Router with four places by hand", async () => {
  await addSummaryAction(folder());
  for (const [file, text] of Object.entries(OWN_ROUTES)) writeIn(folder(), file, text);
  commit("Ours");
  const { passed, output } = await moveIn(folder(), () => {});
  const lines = output.split("\n");
  expect(passed).toBe(false);
  const shown = readDocBlock("docs/upgrade.md", "text", "by hand: ");
  expect(lines.filter((line) => line.startsWith("by hand"))).toEqual(shown.trim().split("\n"));
  // Each place needs its edit. No step of the move runs tests.
  expect(lines.filter((line) => line.endsWith("failed: see above"))).toEqual([
    "npm run format, npm run typecheck, npm run build failed: see above",
  ]);
  commit("The move");
  await expect(runNpm(folder(), "test:unit", OWN_TEST)).rejects.toThrow(
    'No "redirect" export is defined on the "react-router" mock',
  );

  for (const [file, edits] of Object.entries(MENDED))
    editFile(folder(), file, (text) => fillIn(text, edits));
  for (const script of ["lint", "typecheck", "build"]) await runNpm(folder(), script);
  await runNpm(folder(), "test:unit", OWN_TEST);
  expect(git("diff", "--name-only").trim().split("\n")).toEqual(Object.keys(MENDED));
  commit("By hand");

  const dev = await runDev();
  const client = createClient(dev.url);
  await client.post("/en/sign-in", DEMO);
  const pages = {
    "/en/report": `${DEMO.email} until 2026-11-30`,
    "/en/forecast": "1200 credits next month",
    "/en/note?note=Call+Ada": 'value="Call Ada"',
    "/en/summary": "Summarize",
  };
  for (const [path, content] of Object.entries(pages)) {
    const response = await client.fetch(path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(await response.text()).toContain(content);
  }
  await buySummary(client);
  dev.signal("SIGTERM");
  expect(await dev.exited).toBe(0);
  expect(git("status", "--porcelain")).toBe("");
}, 1_800_000);
