import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { runProgram } from "./program";
import { SELF_SIGNED } from "./self-signed-certificate";

/** Runs nginx with a site of the docs until the test ends. Returns the folder of its files. */
export async function startNginx(site: (folder: string) => string, port: number): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "nginx-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, "key.pem"), SELF_SIGNED.key);
  await writeFile(path.join(folder, "cert.pem"), SELF_SIGNED.cert);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join("\n");
  const user = process.getuid?.() === 0 ? "user root;" : "";
  await writeFile(
    path.join(folder, "nginx.conf"),
    `daemon off; ${user} pid ${folder}/pid; error_log stderr; events {}
     http { access_log off; ${temporary}\n${site(folder)} }`,
  );
  await runProgram("nginx", ["-e", "stderr", "-c", path.join(folder, "nginx.conf")], port);
  return folder;
}
