import { spawn } from "node:child_process";
import { withConnection } from "../connect";
import { libpqEnvironment } from "./libpq-environment";

/** Programs of PostgreSQL's client package. */
type Tool = "pg_dump" | "pg_restore";

export interface Tools {
  /** Runs a tool and returns its output. Throws with its last lines if it fails. */
  run(tool: Tool, args: string[]): Promise<string>;
  /** The server's version, as it says it: 15.18. */
  serverVersion: string;
}

/**
 * Finds PostgreSQL's programs and the server that they shall talk to. Throws if one is missing, or older
 * than the server: an older `pg_dump` refuses it, and an older `pg_restore` may not know its statements.
 */
export async function openTools(databaseUrl: string): Promise<Tools> {
  const { rows } = await withConnection(databaseUrl, (client) =>
    client.query<{ major: number; version: string }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS major,
         split_part(current_setting('server_version'), ' ', 1) AS version`,
    ),
  );
  const { major = 0, version = "" } = rows[0] ?? {};
  for (const tool of ["pg_dump", "pg_restore"] as const) {
    const own = await majorOf(tool, major);
    if (own < major)
      throw new Error(
        `${tool} is of PostgreSQL ${own} and the server is of ${major}: ${howToInstall(major)}`,
      );
  }
  const own = await majorOf("pg_dump", major);
  const env = libpqEnvironment(databaseUrl, own);
  return { serverVersion: version, run: (tool, args) => runTool(tool, args, env) };
}

async function majorOf(tool: Tool, wanted: number): Promise<number> {
  const said = await runTool(tool, ["--version"], {}).catch((error) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new Error(`${tool} is not installed: ${howToInstall(wanted)}`);
    throw error;
  });
  const major = /PostgreSQL\) (\d+)/.exec(said)?.[1];
  if (!major) throw new Error(`${tool} --version printed no version`);
  return Number(major);
}

function howToInstall(major: number): string {
  return `install postgresql-client-${major} (Debian, Ubuntu), postgresql${major}-client (Alpine), postgresql${major} (Red Hat) or postgresql@${major} (Homebrew), and put it in PATH`;
}

const LAST_LINES = 3;

function runTool(
  tool: Tool,
  args: string[],
  variables: Record<string, string | undefined>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, {
      // An archive holds the local time of its making, without the zone.
      env: { ...process.env, ...variables, TZ: "UTC" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) return resolve(output);
      const last = errors.trim().split("\n").slice(-LAST_LINES).join(" | ");
      reject(new Error(`${tool} failed: ${last || `exit code ${code}`}`));
    });
  });
}
