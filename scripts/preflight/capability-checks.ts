import type { Env } from "~/env.server";
import { type Check, conclude, fault, found, pass, skip, warning } from "./check";
import type { CheckId } from "./check-ids";
import { type Configuration, findingsOf, withoutMalformed } from "./configuration";

/** Checks what its variables turn on: images, texts, social sign-in, the bot challenge, email. */
export function checkCapabilities(configuration: Configuration): Check[] {
  return [
    checkImages(configuration),
    checkImageStorage(configuration),
    checkText(configuration),
    checkPair(configuration, { ...PAIRS.github, isOn: Boolean(configuration.env.oauth.github) }),
    checkPair(configuration, { ...PAIRS.google, isOn: Boolean(configuration.env.oauth.google) }),
    checkBotChallenge(configuration),
    checkEmail(configuration),
  ];
}

function checkImages(configuration: Configuration): Check {
  const id = "images.provider";
  const findings = findingsOf(configuration, id);
  const { images, incomplete } = configuration.env;
  const missing = withoutMalformed(configuration, incomplete.images);
  if (findings.length === 0 && missing.length > 0)
    findings.push(
      fault(
        images.selected
          ? `IMAGE_PROVIDER is ${images.selected} and ${missing.join(", ")} is not set: nothing can be generated`
          : "NEXT_PUBLIC_ENABLE_IMAGE_GENERATION is true and no provider has a key: nothing can be generated",
        `set ${missing.join(", ")}`,
      ),
    );
  const taking = Object.entries(images.providers)
    .filter(([name, { apiKey }]) => apiKey && [null, name].includes(images.selected))
    .map(([name]) => name);
  return conclude(
    id,
    findings,
    images.enabled
      ? pass(id, `${taking.join(", ")} can be used`)
      : skip(id, "image generation is off"),
  );
}

function checkImageStorage({ env: { images, storage }, texts }: Configuration): Check {
  const id = "images.storage";
  if (!images.enabled) return skip(id, "image generation is off");
  if (storage.enabled) return pass(id, "generated images are kept in storage");
  if (texts.S3_ENDPOINT) return skip(id, "storage is incomplete: see storage.settings");
  const finding = warning(
    "storage is off: generated images keep the provider's own addresses, which end within hours or days",
    "set the S3_ variables to keep them",
  );
  return found(id, [finding]);
}

function checkText(configuration: Configuration): Check {
  const id = "text.provider";
  const findings = findingsOf(configuration, id);
  const { text, incomplete } = configuration.env;
  const missing = withoutMalformed(configuration, incomplete.text).join(" and ");
  if (missing)
    findings.push(
      fault(
        `NEXT_PUBLIC_ENABLE_TEXT_GENERATION is true and ${missing} is not set: nothing can be written`,
        `set ${missing}`,
      ),
    );
  return conclude(
    id,
    findings,
    text.enabled ? pass(id, `${text.model} can be used`) : skip(id, "text generation is off"),
  );
}

const PAIRS = {
  github: { id: "signin.github", capability: "github", what: "GitHub sign-in" },
  google: { id: "signin.google", capability: "google", what: "Google sign-in" },
} as const;

interface Pair {
  id: CheckId;
  capability: keyof Env["incomplete"];
  what: string;
  isOn: boolean;
}

/** Checks two variables that only work together. */
function checkPair(configuration: Configuration, { id, capability, what, isOn }: Pair): Check {
  const findings = findingsOf(configuration, id);
  const missing = withoutMalformed(configuration, configuration.env.incomplete[capability]);
  if (missing.length > 0)
    findings.push(
      fault(
        `${missing.join(", ")} is not set, but the other variable of the pair is: ${what} stays off`,
        "set both or neither",
      ),
    );
  return conclude(id, findings, isOn ? pass(id, `${what} is on`) : skip(id, `${what} is off`));
}

function checkBotChallenge(configuration: Configuration): Check {
  const id = "bot-challenge.keys";
  const { turnstile, email, signupCredits } = configuration.env;
  const pair = { id, capability: "turnstile", what: "the bot challenge" } as const;
  const check = checkPair(configuration, { ...pair, isOn: turnstile !== null });
  if (check.status === "pass" && !email)
    return found(id, [
      warning(
        "the bot challenge is on and email is off: people whose browser runs no JavaScript cannot sign up",
        "set SMTP_URL and EMAIL_FROM",
      ),
    ]);
  if (check.status === "skip" && signupCredits > 0)
    return found(id, [
      warning(
        "new accounts get SIGNUP_CREDITS, and only a hidden field keeps bots from signing up",
        "set NEXT_PUBLIC_TURNSTILE_SITE_KEY and TURNSTILE_SECRET_KEY",
      ),
    ]);
  return check;
}

function checkEmail(configuration: Configuration): Check {
  const pair = { id: "email.settings", capability: "email", what: "email" } as const;
  const { email, oauth, signupCredits } = configuration.env;
  const check = checkPair(configuration, { ...pair, isOn: email !== null });
  if (check.status !== "skip") return check;
  const action = "set SMTP_URL and EMAIL_FROM";
  const finding =
    signupCredits > 0 && !oauth.github && !oauth.google
      ? fault(
          "SIGNUP_CREDITS are never given: no address can be verified while email is off",
          action,
        )
      : warning("email is off: users who forget their password cannot reset it", action);
  return found(pair.id, [finding]);
}
