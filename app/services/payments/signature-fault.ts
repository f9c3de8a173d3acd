/**
 * Why a webhook's signature is refused. `missing`: no signature at all. `malformed`: not the provider's
 * form. `expired`: the right secret's, and too old. `mismatch`: in the provider's form, and not this body's
 * under this secret.
 */
export type SignatureFault = "missing" | "malformed" | "expired" | "mismatch";
