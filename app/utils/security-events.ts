/**
 * Every security event the server and its commands log, with its meaning. `docs/logging.md` prints this
 * list, and a test keeps them in step.
 */
export const SECURITY_EVENTS = {
  sign_in: "Someone signed in, or tried to. A failure carries its reason.",
  second_factor_asked:
    "The first proof of a sign-in was right, and the account's code was asked for.",
  second_factor: "Someone gave a code of an authenticator app or a recovery code, right or wrong.",
  identity_check: "A signed-in person proved who they are before a sensitive action, or tried to.",
  factor_changed:
    "A passkey, an authenticator app or recovery codes were added, used up or removed.",
  sign_up: "An account was created, or an existing address was used again.",
  sign_out: "A session was ended by its owner.",
  sessions_ended: "Other sessions of an account were ended, by their owner or an operator.",
  bot_challenge: "A bot challenge was passed, refused, left out, or could not be checked.",
  bot_trapped: "A form came with the field filled that people do not see. Nothing was done.",
  sign_in_link_requested: "Someone asked for a link that signs them in.",
  sign_in_link: "A sign-in link was used, or no longer worked.",
  api_key_changed: "An API key was made or revoked by its owner.",
  api_key_refused: "A request came with a key that is unknown, over, or not allowed there.",
  password_reset_requested: "Someone asked for a link that sets a new password.",
  password_reset: "A password was set through an emailed link.",
  password_changed: "A signed-in person changed their password.",
  password_check: "A signed-in person gave their password again before a sensitive action.",
  password_set: "A signed-in person without a password set one.",
  provider_refused: "A return from a sign-in provider was refused. Its reason says why.",
  provider_linked: "A sign-in provider was linked to an account, or could not be.",
  provider_unlinked: "A sign-in provider was unlinked, or could not be.",
  account_claimed:
    "A person proved at a provider that they have the address of an unverified account. Its other sign-in methods were removed.",
  email_verified: "An account's address was verified.",
  email_change_requested: "A signed-in person asked for a link to a new address.",
  email_changed: "An account's address was changed. A failure carries its reason.",
  account_exported: "A person downloaded their data.",
  account_deleted: "An account was deleted.",
  account_disabled: "An operator disabled an account.",
  account_enabled: "An operator enabled a disabled account.",
  origin_refused: "A state-changing request came from another site.",
  rate_limited: "A request was over one of the rate limits.",
  bearer_refused:
    "A scheduled route, `/readyz` or `/metrics` was called with a wrong bearer token or, but for `/readyz`, without one.",
  signature_refused:
    "Webhooks came without a valid signature: the 1st, 10th, 100th, … with one reason in an hour. Of level error if they look like the provider's.",
  customer_conflict: "Two accounts have the same customer at a payment provider.",
  operator_command: "An operator ran a command that changes data.",
  admin_action: "An admin did something about a person on the admin pages, or tried to.",
} as const;

export type SecurityEventName = keyof typeof SECURITY_EVENTS;
