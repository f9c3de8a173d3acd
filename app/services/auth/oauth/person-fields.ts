import { profileSchema } from "~/services/auth/account-forms";
import { forgotPasswordSchema } from "~/services/auth/credentials";

/** A provider's address as our own forms would take it; null for one that they would refuse. */
export function providerEmail(email: string | undefined): string | null {
  return forgotPasswordSchema.safeParse({ email }).data?.email ?? null;
}

/** A provider's name as the profile form would take it; null for none, and for one it would refuse. */
export function personName(name: string | null | undefined): string | null {
  return profileSchema.shape.name.safeParse(name ?? "").data || null;
}
