/** The generator form's `id`. */
export const GENERATOR_FORM = "generator";

/** The form's `intent` where its person wants to buy credits first. */
export const BUY = "buy";
