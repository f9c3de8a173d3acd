import { useFormatter } from "use-intl";

/** Returns a size in bytes in the unit that people use for it. */
export function useFileSize(): (bytes: number) => string {
  const format = useFormatter();
  return (bytes) => {
    const unit = bytes < 1_000_000 ? "kilobyte" : "megabyte";
    const size = bytes / (unit === "kilobyte" ? 1000 : 1_000_000);
    return format.number(size, { style: "unit", unit, maximumFractionDigits: size < 10 ? 1 : 0 });
  };
}
