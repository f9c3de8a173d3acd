import { z } from "zod";
import { amountOf, CURRENCY, findPack, PACKS, type Pack } from "~/catalog";
import { invalid, type ValidationKey } from "~/i18n/validation-key";
import { minorUnitDigits } from "~/utils/money";

const DIGITS = minorUnitDigits(CURRENCY);
/** An amount of money as people write it: `50`, `49.90`, `49,90`. */
const MONEY = /^\d{1,9}(?:[.,]\d{1,3})?$/;
const decimalsOf = (text: string) => text.split(/[.,]/)[1]?.length ?? 0;

/** Fields of the form of automatic top-up. */
export const topUpSchema = z.object({
  threshold: z.int(invalid("topUpThreshold")).min(1, invalid("topUpThreshold")),
  skuKey: z.enum(PACKS.map(({ skuKey }) => skuKey) as [Pack["skuKey"]], invalid("topUpPack")),
  /** In whole units of the currency, with decimals. */
  monthlyAmount: z
    .string(invalid("topUpMonthly"))
    .trim()
    .regex(MONEY, invalid("topUpMonthly"))
    .refine((text) => decimalsOf(text) <= DIGITS, invalid("topUpMonthly")),
  /** The packs as the page showed them. */
  shown: z.string().default(""),
});

/** Writes packs, each with what it brings and costs, for a field that says what the page showed. */
export const writeShown = (packs: readonly Pack[]): string => packs.map(describe).join(" ");

const describe = ({ skuKey, credits, amount }: Pack): string =>
  `${skuKey}=${credits}:${amount}${CURRENCY}`;

export const TOP_UP_FIELDS = ["intent", ...Object.keys(topUpSchema.shape)];

/** Reads an amount that the schema has passed, into minor units. */
export function readMonthlyAmount(text: string): number {
  const [whole = "", part = ""] = text.split(/[.,]/);
  return Number(whole + part.padEnd(DIGITS, "0"));
}

/** Writes an amount for the field. */
export function writeMonthlyAmount(amount: number): string {
  const text = String(amount).padStart(DIGITS + 1, "0");
  if (DIGITS === 0) return text;
  const part = text.slice(-DIGITS);
  return Number(part) === 0 ? text.slice(0, -DIGITS) : `${text.slice(0, -DIGITS)}.${part}`;
}

/** Lists the fields that contradict the pack as it is now: none if they fit together. */
export function listTopUpFaults({
  threshold,
  skuKey,
  monthlyAmount,
  shown,
}: z.output<typeof topUpSchema>): Record<string, ValidationKey[]> {
  const pack = findPack(skuKey);
  const credits = pack?.credits ?? 0;
  // Nobody agrees to a price that they didn't see.
  if (!pack || !shown.split(" ").includes(describe(pack)))
    return { skuKey: ["validation.topUpChanged"] };
  return {
    ...(threshold < credits ? {} : { threshold: ["validation.topUpThreshold"] }),
    ...(readMonthlyAmount(monthlyAmount) >= amountOf({ type: "pack", skuKey })
      ? {}
      : { monthlyAmount: ["validation.topUpMonthly"] }),
  };
}
