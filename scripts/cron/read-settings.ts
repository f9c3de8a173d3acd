import type { z } from "zod";
import { serviceVariables } from "~/env/service";
import { UsageError } from "../lib/command";

export interface CronSettings {
  /** Scheme and host of the service. */
  baseUrl: string;
  secret: string;
  logLevel: string;
}

type Environment = Record<string, string | undefined>;

/**
 * Reads only the scheduler's own settings: it may run where the service's other secrets aren't set.
 * Throws one line, without the value, for an unset or malformed one.
 */
export function readSettings(url: string | undefined, environment: Environment): CronSettings {
  const read = <Schema extends z.ZodType>(
    schema: Schema,
    name: string,
    text = environment[name],
  ) => {
    const { success, data, error } = schema.safeParse(text?.trim() || undefined);
    if (success) return data;
    const line = `${name} ${error.issues[0]?.message}`;
    throw name.startsWith("--") ? new UsageError(line) : new Error(line);
  };
  const site = serviceVariables.NEXT_PUBLIC_SITE_URL;
  const secret = read(serviceVariables.CRON_SECRET, "CRON_SECRET");
  if (!secret) throw new Error("CRON_SECRET is not set: give it the server's value");
  return {
    baseUrl: (url === undefined ? read(site, "NEXT_PUBLIC_SITE_URL") : read(site, "--url", url))
      .origin,
    secret,
    logLevel: read(serviceVariables.LOG_LEVEL, "LOG_LEVEL"),
  };
}
