import { getEnv } from "~/env.server";
import {
  CHALLENGE_FIELD,
  type ChallengeAction,
  type ShownChallenge,
  TRAP_FIELD,
} from "~/services/bot-challenge/challenge";
import { verifyChallenge } from "~/services/bot-challenge/verify-challenge.server";
import { AppError } from "~/utils/app-error";
import { log } from "~/utils/logger.server";
import { securityEvent } from "~/utils/security-event.server";

/** Fields of a challenged form beside its own. */
export const HUMAN_FIELDS = [CHALLENGE_FIELD, TRAP_FIELD];

/** Returns the settings for a page that asks for the challenge; null while it is off. */
export function shownChallenge(action: ChallengeAction): ShownChallenge | null {
  const { turnstile } = getEnv();
  if (!turnstile) return null;
  const scriptUrl = `${turnstile.apiBase}/turnstile/v0/api.js?render=explicit`;
  return { siteKey: turnstile.siteKey, scriptUrl, action };
}

const tokenOf = (form: FormData) => String(form.get(CHALLENGE_FIELD) ?? "");

/** Whether the form brings a token of the challenge, right or wrong. */
export const hasChallengeToken = (form: FormData): boolean => tokenOf(form) !== "";

interface ChallengedForm {
  form: FormData;
  action: ChallengeAction;
  clientAddress: string;
}

/**
 * Checks the form's challenge token. Returns "absent" for a form without one, which browsers without
 * JavaScript send, and "off" where no challenge is configured.
 * @throws AppError 400 challenge_failed, 503 challenge_unavailable
 */
export async function checkChallenge({
  form,
  action,
  clientAddress,
}: ChallengedForm): Promise<"passed" | "absent" | "off"> {
  if (!getEnv().turnstile) return "off";
  const token = tokenOf(form);
  const event = (reason: string) =>
    securityEvent("bot_challenge", { outcome: "failure", reason, details: { action } });
  if (token === "") {
    event("absent");
    return "absent";
  }
  const result = await verifyChallenge({ token, action, clientAddress });
  switch (result.status) {
    case "passed":
      securityEvent("bot_challenge", { outcome: "success", details: { action } });
      return "passed";
    case "refused":
      event(result.reason);
      throw new AppError({
        code: "challenge_failed",
        publicMessage:
          "We couldn't confirm that you're a person. Nothing was changed. Take the check again.",
      });
    case "unavailable":
      event("unavailable");
      log().error({ action, reason: result.reason }, "the bot challenge could not be checked");
      throw new AppError({
        code: "challenge_unavailable",
        publicMessage:
          "We can't check right now that you're a person. Nothing was changed. Try again in a few minutes.",
      });
  }
}

/** Refuses a form that needs the challenge and came without it. */
export function challengeRequired(): AppError {
  return new AppError({
    code: "challenge_required",
    publicMessage:
      "Show first that you're a person. The check needs JavaScript. Nothing was changed.",
  });
}

/**
 * Whether a bot filled the field that people don't see. Used where no challenge is on; the form is then
 * treated as if it had been taken.
 */
export function isTrapped(form: FormData, action: ChallengeAction): boolean {
  if (getEnv().turnstile || !form.get(TRAP_FIELD)) return false;
  securityEvent("bot_trapped", { outcome: "failure", details: { action } });
  return true;
}
