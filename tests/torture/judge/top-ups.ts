import type { Evidence } from "./evidence";

/** One attempt is one payment at most, and a month's payments never exceed what the owner set. */
export function judgeTopUps({ person, money }: Evidence): string[] {
  const own = money.charges.filter(({ userId }) => userId === person.userId);
  const twice = own.filter(({ sessionId }, place) =>
    own.slice(0, place).some((other) => other.sessionId === sessionId),
  );
  const months = new Map<string, number>();
  for (const { at, amount } of own) {
    const month = at.toISOString().slice(0, 7);
    months.set(month, (months.get(month) ?? 0) + amount);
  }
  return [
    ...twice.map(({ sessionId }) => `${sessionId} was charged twice`),
    ...[...months]
      .filter(([, sum]) => sum > person.mostPerMonth)
      .map(([month, sum]) => `${month}: ${sum} was charged, and at most ${person.mostPerMonth}`),
  ];
}
