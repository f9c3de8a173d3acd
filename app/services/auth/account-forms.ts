import { z } from "zod";
import { LOCALES } from "~/i18n/locale";
import { invalid } from "~/i18n/validation-key";
import { currentPassword, email, newPassword } from "~/services/auth/credentials";

/** Fields of the profile form; an empty name means none. */
export const profileSchema = z.object({
  name: z
    .string()
    .trim()
    .max(100, invalid("nameTooLong"))
    // Refuses control and formatting characters: they are invisible or reverse the direction of the
    // text.
    .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, invalid("nameInvalid"))
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

/** Fields of the form that asks who is there before a sensitive action. */
export const confirmIdentitySchema = z.object({
  currentPassword,
  redirectTo: z.string().optional(),
});

/** Fields of the form that deletes an account. Accounts without a password give none. */
export const deleteAccountSchema = z.object({ currentPassword: currentPassword.optional() });
