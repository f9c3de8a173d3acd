import { z } from "zod";
import { invalid } from "~/i18n/validation-key";

const email = z
  .string(invalid("required"))
  .trim()
  .toLowerCase()
  .max(254, invalid("emailInvalid"))
  .pipe(z.email(invalid("emailInvalid")));

/** A password that has to be right: one too short to be one is simply a wrong one. */
export const currentPassword = z.string(invalid("required")).max(200, invalid("passwordTooLong"));

/** What the sign-in form posts. */
export const credentialsSchema = z.object({
  email,
  password: currentPassword,
  redirectTo: z.string().optional(),
});

export const CREDENTIAL_FIELDS = Object.keys(credentialsSchema.shape);

export const newPassword = z
  .string(invalid("required"))
  .min(12, invalid("passwordTooShort"))
  .max(200, invalid("passwordTooLong"));

/** What the sign-up form posts. */
export const newAccountSchema = credentialsSchema.extend({ password: newPassword });

/** What the forgot-password form posts. */
export const forgotPasswordSchema = z.object({ email });

/** What the form behind a reset link posts; the link's token stays in the address. */
export const resetPasswordSchema = z.object({ password: newPassword });
