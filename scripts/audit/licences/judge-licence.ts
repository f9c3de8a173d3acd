import satisfies from "spdx-satisfies";
import type { Package } from "./shipped-packages";

/** Licences that ask for no more than their text beside the program, so that the program's own may be closed. */
const ALLOWED = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Python-2.0",
  "Unlicense",
  "Zlib",
];

/** Packages under another licence, by the beginning of their names, and that licence. */
const EXCEPTIONS: [start: string, licence: string][] = [
  // A library of its own, which sharp loads as it is and anybody may replace: the LGPL asks for no more.
  ["@img/sharp-libvips-", "LGPL-3.0-or-later"],
];

/** Returns what is wrong with a package's licence, or null. */
export function licenceFault({ name, version, license }: Omit<Package, "to">): string | null {
  const allowed = [
    ...ALLOWED,
    ...EXCEPTIONS.flatMap(([start, licence]) => (name.startsWith(start) ? licence : [])),
  ];
  if (license === null) return `${name}@${version} names no licence`;
  try {
    if (satisfies(license, allowed)) return null;
  } catch {
    return `${name}@${version} has a licence with an unknown name: ${license}`;
  }
  return `${name}@${version} has the licence ${license}, which is not allowed`;
}
