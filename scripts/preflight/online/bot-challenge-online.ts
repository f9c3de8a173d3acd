import type { Env } from "~/env.server";
import { describeError } from "~/utils/describe-error";
import { type Check, type Finding, fault, found, pass, skip } from "../check";
import { postForm } from "./ask";

const ID = "online.bot-challenge";
const REACH = "check TURNSTILE_API_BASE, and that this machine may reach it";

/** Sends siteverify an invented token: it says whether the secret key or only the token is wrong. */
export async function askSiteverify(turnstile: Env["turnstile"]): Promise<Check> {
  if (!turnstile) return skip(ID, "the bot challenge is off");
  const url = `${turnstile.apiBase}/turnstile/v0/siteverify`;
  const fields = { secret: turnstile.secretKey, response: "preflight" };
  const finding = await postForm("botChallenge", url, fields).then(
    ({ body }) => judge(body),
    (error) => fault(`siteverify did not respond: ${describeError(error)}`, REACH),
  );
  return finding
    ? found(ID, [finding])
    : pass(ID, "siteverify takes the secret key; only a browser shows whether the site key fits");
}

function judge(body: Record<string, unknown>): Finding | null {
  const codes = Array.isArray(body["error-codes"]) ? body["error-codes"].map(String) : [];
  if (codes.includes("invalid-input-secret"))
    return fault(
      "siteverify refuses TURNSTILE_SECRET_KEY: nobody can sign up",
      "copy the secret key again, from the widget of the site key",
    );
  if (body.success === true)
    return fault(
      "siteverify takes an invented token: this is a test key, which lets bots in",
      "copy the keys of a real widget",
    );
  if (codes.includes("invalid-input-response")) return null;
  return fault(`siteverify did not respond as expected: ${codes.join(", ") || "no code"}`, REACH);
}
