import { z } from "zod";
import { LOCALES } from "~/i18n/locale";
import { invalid } from "~/i18n/validation-key";
import { API_KEY_SCOPES } from "~/services/auth/api-key-scopes";
import { currentPassword, email, newPassword } from "~/services/auth/credentials";
import { wayBack } from "~/utils/way-back";

/** No control and formatting characters: they are invisible or reverse the direction of the text. */
const PLAIN_TEXT = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u;

/** Credits: more than any limit needs to be. */
const MAX_LIMIT = 1_000_000_000;

/** Fields of the profile form; an empty name means none. */
export const profileSchema = z.object({
  name: z
    .string()
    .trim()
    .max(100, invalid("nameTooLong"))
    .regex(PLAIN_TEXT, invalid("nameInvalid"))
    .optional(),
  locale: z.enum(LOCALES, invalid("localeInvalid")),
});

/** Fields of the form that changes the address. */
export const changeEmailSchema = z.object({ newEmail: email });

/** Fields of the form that changes a password. */
export const changePasswordSchema = z.object({
  currentPassword,
  newPassword,
});

/** Fields of the form that sets the first password of an account. */
export const firstPasswordSchema = z.object({ newPassword });

/** Fields of the form that ends one other session, or all. Accounts without a password give none. */
export const endSessionsSchema = z.object({
  sessionId: z.string().optional(),
  currentPassword: currentPassword.optional(),
});

/** The code of an authenticator app, or a recovery code. */
const code = z.string(invalid("required")).trim().max(100, invalid("codeWrong"));

/** The purposes of forms that are sent again after a step-up. */
export const REPEATED_PURPOSES = ["portal", "sign_in_methods", "limits", "top_up"] as const;

/** Fields of the form that asks who is there before a sensitive action. */
export const confirmIdentitySchema = z.object({
  /** Of accounts with a password. */
  currentPassword: currentPassword.optional(),
  /** Of accounts with an authenticator app. */
  code: code.optional(),
  redirectTo: wayBack,
  /** Names the form that is sent again afterwards. */
  step: z.string().optional(),
});

/** Fields of the forms that ask for a code alone. */
export const codeSchema = z.object({ code });

/** Fields of the forms of one passkey. */
export const passkeySchema = z.object({
  passkeyId: z.string(),
  name: z
    .string(invalid("required"))
    .trim()
    .min(1, invalid("required"))
    .max(60, invalid("passkeyNameTooLong"))
    .regex(PLAIN_TEXT, invalid("nameInvalid")),
});

/** A number of credits; none for no limit. */
const optionalCredits = z
  .int(invalid("creditsInvalid"))
  .min(1, invalid("creditsInvalid"))
  .max(MAX_LIMIT, invalid("creditsInvalid"))
  .optional();

/** Fields of the form of an account's limits. */
export const limitsSchema = z.object({ monthlyLimit: optionalCredits });

/** Fields of the form for the email about few credits. */
export const lowBalanceSchema = z.object({ lowBalance: optionalCredits });

/** Fields of the form that makes an API key. */
export const apiKeySchema = z.object({
  name: z
    .string(invalid("required"))
    .trim()
    .min(1, invalid("required"))
    .max(60, invalid("keyNameTooLong"))
    .regex(PLAIN_TEXT, invalid("nameInvalid")),
  scopes: z
    .array(z.enum(API_KEY_SCOPES, invalid("scopeRequired")))
    .min(1, invalid("scopeRequired")),
  monthlyLimit: optionalCredits,
  /** None for a key that doesn't expire. */
  expiresInDays: z
    .int(invalid("daysInvalid"))
    .min(1, invalid("daysInvalid"))
    .max(3650, invalid("daysInvalid"))
    .optional(),
  /** Where a step-up is due. */
  currentPassword: currentPassword.optional(),
  /** New with each form, so that one sent twice makes one key. */
  formId: z.uuid().optional().catch(undefined),
});

/** Fields of the form that deletes an account. Accounts without a password give none. */
export const deleteAccountSchema = z.object({ currentPassword: currentPassword.optional() });
