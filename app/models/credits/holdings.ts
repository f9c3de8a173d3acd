/** The credits that a user can spend now, by how long they stay. */
export interface Holdings {
  balance: number;
  /** The credits that expire next, and when; null if none expire. */
  expiring: { amount: number; at: Date } | null;
  /** Credits that expire after those. */
  later: number;
  /** Credits that never expire. */
  lasting: number;
}
