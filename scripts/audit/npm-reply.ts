import { z } from "zod";
import type { NpmOutput } from "./run-npm";

export type NpmReply =
  | { status: "answered"; value: unknown }
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

/** Parses npm's `--json` output. Throws if npm failed for a reason other than the registry. */
export function readNpmReply({ stdout, stderr }: NpmOutput): NpmReply {
  const value = parseJson(stdout, stderr);
  const failure = failureSchema.safeParse(value).data;
  if (!failure) return { status: "answered", value };
  const reason = "error" in failure ? failure.error.summary : failure.message;
  const code = "error" in failure ? failure.error.code : "";
  const refusal = "statusCode" in failure ? failure.statusCode : undefined;
  const isRefused = refusal !== undefined && refusal !== BAD_REQUEST;
  if (isRefused || NETWORK.test(`${code} ${reason}`)) return { status: "unreachable", reason };
  throw new Error(`npm failed: ${reason}`);
}

function parseJson(stdout: string, stderr: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    const lastError = stderr.split("\n").findLast((line) => line.startsWith("npm error"));
    throw new Error(`npm printed no JSON: ${lastError ?? "and no error"}`);
  }
}
