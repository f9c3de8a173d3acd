/** People sign in by proving that they have one of these. */
export const SIGN_IN_WAYS = ["password", "passkey", "sign_in_link", "github", "google"] as const;

export type SignInMethod = (typeof SIGN_IN_WAYS)[number];
