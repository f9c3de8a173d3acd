import type { Transaction } from "~/db.server";

/**
 * The source, with a number after it if it was used before: the same amount can go back, be given back
 * by a won dispute, and go back again. The caller holds a lock that keeps others from using it.
 */
export async function freeSource(source: string, transaction: Transaction): Promise<string> {
  for (let round = 1; ; round++) {
    const candidate = round === 1 ? source : `${source}:${round}`;
    const used = await transaction.creditTransaction.findUnique({
      where: { source: candidate },
      select: { id: true },
    });
    if (!used) return candidate;
  }
}
