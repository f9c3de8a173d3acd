import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openDataDir } from "../../scripts/lib/open-folder";
import { withDevClone } from "../helpers/dev-clone";

const { folder, spawnDev, runDev, pidOf, leftovers } = withDevClone();

test("a part that dies is named in one line and ends the rest", async () => {
  const dev = await runDev();
  process.kill(await pidOf("s3"), "SIGKILL");
  expect(await dev.exited).toBe(1);
  expect(dev.output()).toContain("S3 ended (SIGKILL)");
  expect(leftovers()).toEqual([]);
}, 180_000);

test("dev that is killed outright takes its parts with it", async () => {
  const dev = await runDev();
  dev.signal("SIGKILL");
  await dev.exited;
  await expect.poll(leftovers, { timeout: 60_000 }).toEqual([]);
}, 180_000);

test.each(["SIGTERM", "SIGKILL"] as const)(
  "%s to the npm of `npm run dev` ends dev and its parts",
  async (signal) => {
    const npm = await spawnDev([], {}, ["npm", "run", "dev"]);
    const exited = new Promise((resolve) => npm.once("exit", resolve));
    await pidOf("app");
    npm.kill(signal);
    await exited;
    await expect.poll(leftovers, { timeout: 60_000 }).toEqual([]);
  },
  180_000,
);

test("dev that is killed while its parts start leaves none of them", async () => {
  const child = await spawnDev();
  const exited = new Promise((resolve) => child.once("exit", resolve));
  await pidOf("postgres");
  child.kill("SIGKILL");
  await exited;
  await expect.poll(leftovers, { timeout: 60_000 }).toEqual([]);
}, 180_000);

test("a PostgreSQL whose part is killed outright is stopped", async () => {
  const dev = await runDev();
  process.kill(await pidOf("postgres"), "SIGKILL");
  expect(await dev.exited).toBe(1);
  expect(dev.output()).toContain("PostgreSQL ended (SIGKILL)");
  expect(leftovers()).toEqual([]);
}, 180_000);

test("a first start that is killed while it makes the data directory is made good by the next", async () => {
  const dataDir = await openDataDir(path.join(folder(), ".data/postgres"));
  rmSync(dataDir, { recursive: true, force: true });
  const unfinished = () =>
    readdirSync(path.dirname(dataDir)).filter((name) =>
      name.startsWith(`${path.basename(dataDir)}.new-`),
    );
  const child = await spawnDev();
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const part = await pidOf("postgres");
  await expect.poll(() => unfinished().length, { timeout: 60_000, interval: 10 }).toBe(1);
  process.kill(part, "SIGKILL");
  await exited;
  expect(readdirSync(path.dirname(dataDir))).not.toContain(path.basename(dataDir));

  const dev = await runDev();
  expect((await fetch(`${dev.url}/readyz`)).status).toBe(200);
  expect(unfinished()).toEqual([]);
  dev.signal("SIGINT");
  await dev.exited;
}, 180_000);
