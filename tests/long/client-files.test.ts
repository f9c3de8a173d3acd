import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { listVariables } from "~/env.server";
import { copyProject } from "../helpers/project-copy";
import { telltaleEnvironment, telltalesIn } from "../helpers/telltale-environment";

const BUILD_MS = 10 * 60_000;

test("a build with every variable set puts no server-only one's value or name into browsers' files", {
  timeout: BUILD_MS,
}, async () => {
  const values = telltaleEnvironment();
  const copy = copyProject();
  copy.write(
    ".env",
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  // The first sets a variable.
  const [, pages = ""] = scripts.build.split(" && ");
  const [program = "", ...args] = pages.split(" ");
  const env = { ...process.env, ...values, NODE_ENV: "production" as const };
  await promisify(execFile)(path.resolve("node_modules/.bin", program), args, {
    cwd: copy.folder,
    env,
  });

  const client = path.join(copy.folder, "build/client");
  const files = readdirSync(client, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(js|css|html|json|svg|txt|map|webmanifest)$/.test(file),
  );
  expect(files.length).toBeGreaterThan(10);
  const names = listVariables()
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("NEXT_PUBLIC_") && name.includes("_"));
  for (const file of files) {
    const text = readFileSync(path.join(client, file), "utf8");
    expect([file, telltalesIn(text, values)]).toEqual([file, []]);
    expect([file, names.filter((name) => text.includes(name))]).toEqual([file, []]);
  }
});
