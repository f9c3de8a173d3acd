/**
 * How many random histories a property test runs: `few` of them in `npm test`, and `many` in
 * `npm run test:long`.
 */
export function historiesToRun({ few, many }: { few: number; many: number }): number {
  return process.env.LONG_TESTS === "1" ? many : few;
}
