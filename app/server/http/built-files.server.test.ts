import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import express from "express";
import { expect, test } from "vitest";
import { builtFiles } from "./built-files.server";

test("files that the build made are served; every other path goes on without a look at the disk", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "built-"));
  await mkdir(path.join(folder, "icons"));
  await writeFile(path.join(folder, "icons/small.txt"), "small");
  const app = express();
  app.use(builtFiles(folder));
  app.use((_request, response) => void response.status(404).send("page"));
  const server = app.listen(0);
  try {
    await writeFile(path.join(folder, "late.txt"), "late");
    const { port } = server.address() as AddressInfo;
    const get = async (name: string) => {
      const response = await fetch(`http://localhost:${port}${name}`);
      return [response.status, await response.text()];
    };
    expect(await get("/icons/small.txt")).toEqual([200, "small"]);
    expect(await get("/icons")).toEqual([404, "page"]);
    expect(await get("/late.txt")).toEqual([404, "page"]);
    expect(await get("/en/account")).toEqual([404, "page"]);
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
});
