/** Who sells, as receipts name them. */
export interface Seller {
  name: string;
  /** One entry per line. */
  address: string[];
  taxId: string | null;
}

interface SellerSettings {
  name: string | undefined;
  /** Its lines, with semicolons between them. */
  address: string | undefined;
  taxId: string | undefined;
}

/** Returns the seller; null without a name. */
export function readSeller({ name, address = "", taxId }: SellerSettings): Seller | null {
  if (!name) return null;
  const lines = address.split(";").map((line) => line.trim());
  return { name, address: lines.filter((line) => line !== ""), taxId: taxId ?? null };
}
