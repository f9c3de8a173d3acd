import { z } from "zod";
import { wayBack } from "~/utils/way-back";

const base64url = z.string().regex(/^[\w-]{1,20000}$/);

const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
};

/** A browser's response to a request for a signature: `PublicKeyCredential.toJSON()`. */
export const assertionSchema = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: base64url.nullish(),
    }),
  })
  .transform(({ response: { userHandle, ...response }, ...rest }) => ({
    ...rest,
    clientExtensionResults: {},
    response: { ...response, ...(userHandle ? { userHandle } : {}) },
  }));

/** A browser's response to a request for a new passkey. */
export const attestationSchema = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: z
        .array(z.string().regex(/^[a-z-]{1,20}$/))
        .max(10)
        .catch([]),
    }),
  })
  .transform((reply) => ({ ...reply, clientExtensionResults: {} }));

export type Assertion = z.output<typeof assertionSchema>;
export type Attestation = z.output<typeof attestationSchema>;

/** Fields of every form that a passkey fills in. */
export const passkeyFormSchema = z.object({
  response: z.string().max(40_000),
  redirectTo: wayBack,
  /** At the page that asks who is there: names the form that is sent again afterwards. */
  step: z.string().optional(),
});

/** The step that a browser asks a challenge for. */
export const passkeyPurposeSchema = z.object({
  purpose: z.enum(["sign_in", "register", "confirm"]),
});
export type PasskeyPurpose = z.output<typeof passkeyPurposeSchema>["purpose"];
