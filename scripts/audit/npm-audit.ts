import { spawn } from "node:child_process";
import { z } from "zod";

type NpmReply =
  | { status: "responded"; report: unknown }
  /** The registry can't be reached, or doesn't offer this request. */
  | { status: "unreachable"; reason: string };

/** The two forms in which npm prints a failure as JSON. */
const failureSchema = z.union([
  z.object({ message: z.string(), statusCode: z.number().optional() }),
  z.object({ error: z.object({ code: z.string(), summary: z.string() }) }),
]);

const NETWORK =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|E5\d\d)\b|socket hang up|network timeout/;
/** The registry replied that the lockfile is invalid. */
const BAD_REQUEST = 400;
const TIMEOUT_MS = 5 * 60_000;
/**
 * One retry, after a second. npm's default retries would hold up a build for minutes without a registry.
 */
const ARGUMENTS = [
  "audit",
  "--json",
  "--omit=dev",
  "--fetch-retries=1",
  "--fetch-retry-mintimeout=1000",
];

/** Asks the registry by `npm audit`. Throws if npm failed for a reason other than the registry. */
export async function askRegistry(): Promise<NpmReply> {
  const { stdout, stderr } = await runNpm();
  const report = parseJson(stdout, stderr);
  const failure = failureSchema.safeParse(report).data;
  if (!failure) return { status: "responded", report };
  const reason = "error" in failure ? failure.error.summary : failure.message;
  const code = "error" in failure ? failure.error.code : "";
  const refusal = "statusCode" in failure ? failure.statusCode : undefined;
  const isRefused = refusal !== undefined && refusal !== BAD_REQUEST;
  if (isRefused || NETWORK.test(`${code} ${reason}`)) return { status: "unreachable", reason };
  throw new Error(`npm failed: ${reason}`);
}

/** The exit code is ignored: npm also fails for what is excepted. */
function runNpm(): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("npm", ARGUMENTS, {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: TIMEOUT_MS,
    });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
      });
    child.once("error", reject);
    child.once("close", (_code, signal) =>
      signal ? reject(new Error("npm audit took too long")) : resolve(output),
    );
  });
}

function parseJson(stdout: string, stderr: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    const lastError = stderr.split("\n").findLast((line) => line.startsWith("npm error"));
    throw new Error(`npm printed no JSON: ${lastError ?? "and no error"}`);
  }
}
