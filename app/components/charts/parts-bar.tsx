interface PartsBarProps {
  /** Amounts above 0; `soon` is striped. */
  parts: { key: string; amount: number; look: "soon" | "keep" }[];
}

/** A share is at least as wide as this, in percent, so that it can be seen. */
const LEAST = 2;

/** A balance as one bar, divided by how long its credits stay. The legend below says the same in words. */
export function PartsBar({ parts }: PartsBarProps) {
  const shares = sharesOf(parts.map(({ amount }) => amount));
  return (
    <svg className="parts" height="12" aria-hidden="true">
      <defs>
        <pattern
          id="part-stripes"
          width="7"
          height="7"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect className="part-keep" width="7" height="7" />
          <rect className="part-stripe" width="2" height="7" />
        </pattern>
      </defs>
      {parts.map(({ key, look }, index) => (
        <rect
          key={key}
          className={look === "soon" ? undefined : "part-keep"}
          fill={look === "soon" ? "url(#part-stripes)" : undefined}
          x={`${sum(shares.slice(0, index))}%`}
          width={`${shares[index]}%`}
          height="12"
        />
      ))}
    </svg>
  );
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** Returns each amount's share in percent. Together they are 100. */
export function sharesOf(amounts: number[]): number[] {
  const total = sum(amounts);
  const seen = amounts.map((amount) => Math.max(LEAST, (amount / total) * 100));
  return seen.map((share) => Math.round((share / sum(seen)) * 10_000) / 100);
}
