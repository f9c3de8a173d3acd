import { z } from "zod";
import { invalid } from "~/i18n/validation-key";

const email = z
  .string(invalid("required"))
  .trim()
  .toLowerCase()
  .max(254, invalid("emailInvalid"))
  .pipe(z.email(invalid("emailInvalid")));

/** What the sign-in form posts; a password too short to be one is simply a wrong one. */
export const credentialsSchema = z.object({
  email,
  password: z.string(invalid("required")).max(200, invalid("passwordTooLong")),
  redirectTo: z.string().optional(),
});

export const CREDENTIAL_FIELDS = Object.keys(credentialsSchema.shape);

/** What the sign-up form posts. */
export const newAccountSchema = credentialsSchema.extend({
  password: z
    .string(invalid("required"))
    .min(12, invalid("passwordTooShort"))
    .max(200, invalid("passwordTooLong")),
});
