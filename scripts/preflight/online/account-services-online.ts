import type { Check } from "../check";
import type { Configuration } from "../configuration";
import { askSiteverify } from "./bot-challenge-online";
import { askGithub, askGoogle } from "./clients-online";
import { askMailServer } from "./email-online";

/** Asks each service that accounts depend on whether it takes our credentials. Sends no mail. */
export function checkAccountServices({ env }: Configuration): Promise<Check[]> {
  return Promise.all([
    askGithub(env.oauth.github),
    askGoogle(env.oauth.google),
    askSiteverify(env.turnstile),
    askMailServer(env.email),
  ]);
}
