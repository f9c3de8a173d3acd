import { z } from "zod";
import { LOCALES } from "~/i18n/locale";
import { invalid } from "~/i18n/validation-key";
import { currentPassword, newPassword } from "~/services/auth/credentials";

/** What the profile form posts; an empty name is none. */
export const profileSchema = z.object({
  name: z
    .string()
    .trim()
    .max(100, invalid("nameTooLong"))
    // What no keyboard types would be drawn as nothing, or turn the rest of a line round.
    .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, invalid("nameInvalid"))
    .optional(),
  locale: z.enum(LOCALES, invalid("localeInvalid")),
});

/** What the form that changes a password posts. */
export const changePasswordSchema = z.object({
  currentPassword,
  newPassword,
});

/** Fields of the form that ends one other session, or all; without a password there is none to give. */
export const endSessionsSchema = z.object({
  sessionId: z.string().optional(),
  currentPassword: currentPassword.optional(),
});

/** What the form that deletes an account posts; an account without a password has none to give. */
export const deleteAccountSchema = z.object({ currentPassword: currentPassword.optional() });
