import { createHmac, randomBytes } from "node:crypto";
import type { Cookie } from "@remix-run/node";
import { z } from "zod";
import { getEnv } from "~/env.server";
import { ownCookie } from "~/server/own-cookie.server";

// Device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"): a browser that
// signed in to an account has its own limit there, so guesses from elsewhere never block it.

const LIFETIME_DAYS = 365;
/** Accounts remembered per browser. The account with the oldest sign-in is forgotten first. */
const MAX_ACCOUNTS = 10;

const deviceSchema = z.object({ id: z.string(), accounts: z.array(z.string()).max(MAX_ACCOUNTS) });
type Device = z.output<typeof deviceSchema>;

/** An account and its password hash, if it has one. A new password makes all its devices unknown. */
interface DeviceAccount {
  userId: string;
  passwordHash: string | null;
}

let cookie: Cookie | undefined;

function deviceCookie(): Cookie {
  cookie ??= ownCookie("device", {
    maxAge: LIFETIME_DAYS * 24 * 60 * 60,
    // A separate key, so that a value signed for another cookie is never valid here.
    secrets: [keyed("device cookie")],
  });
  return cookie;
}

function keyed(text: string): string {
  return createHmac("sha256", getEnv().authSecret).update(text).digest("base64url");
}

/**
 * Identifies an account on one device. Reveals nothing to a reader of the cookie, even one who has
 * another cookie to compare.
 */
function accountMark(deviceId: string, { userId, passwordHash }: DeviceAccount): string {
  return keyed(JSON.stringify(["device account", deviceId, userId, passwordHash])).slice(0, 22);
}

async function readDevice(request: Request): Promise<Device | null> {
  const value: unknown = await deviceCookie().parse(request.headers.get("Cookie"));
  return deviceSchema.safeParse(value).data ?? null;
}

/** Returns the browser's id if it signed in to this account before with the current password. */
export async function findTrustedDevice(
  request: Request,
  account: DeviceAccount,
): Promise<string | null> {
  const device = await readDevice(request);
  return device?.accounts.includes(accountMark(device.id, account)) ? device.id : null;
}

/** Adds the account to the browser's known accounts and returns the `Set-Cookie` value. */
export async function rememberDevice(request: Request, account: DeviceAccount): Promise<string> {
  const device = await readDevice(request);
  const id = device?.id ?? randomBytes(16).toString("base64url");
  const mark = accountMark(id, account);
  const others = device?.accounts.filter((other) => other !== mark) ?? [];
  return deviceCookie().serialize({ id, accounts: [mark, ...others].slice(0, MAX_ACCOUNTS) });
}
