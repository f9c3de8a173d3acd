import { z } from "zod";
import { invalid } from "~/i18n/validation-key";
import { wayBack } from "~/utils/way-back";

/** An address in ASCII. Checked before it gets lower case, in which the Kelvin sign is a `k`. */
export const email = z
  .string(invalid("required"))
  .trim()
  .regex(/^\p{ASCII}*$/u, invalid("emailInvalid"))
  .toLowerCase()
  .max(254, invalid("emailInvalid"))
  .pipe(z.email(invalid("emailInvalid")));

/** An existing password, to be checked. No minimum length: one that is too short is simply wrong. */
export const currentPassword = z.string(invalid("required")).max(200, invalid("passwordTooLong"));

/** Fields of the sign-in form. */
export const credentialsSchema = z.object({
  email,
  password: currentPassword,
  redirectTo: wayBack,
});

export const CREDENTIAL_FIELDS = Object.keys(credentialsSchema.shape);

export const newPassword = z
  .string(invalid("required"))
  .min(12, invalid("passwordTooShort"))
  .max(200, invalid("passwordTooLong"));

/** Fields of the sign-up form. */
export const newAccountSchema = credentialsSchema.extend({ password: newPassword });

/** Fields of the forgot-password form. */
export const forgotPasswordSchema = z.object({ email, redirectTo: wayBack });

/** Fields of the form that asks for a sign-in link. */
export const signInLinkSchema = z.object({ email, redirectTo: wayBack });

/** The field of the form that lets a held account be used. */
export const heldAccountSchema = z.object({ password: currentPassword });

/** Fields of the reset form; the link's token stays in the URL. */
export const resetPasswordSchema = z.object({ password: newPassword });
