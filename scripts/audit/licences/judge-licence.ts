import satisfies from "spdx-satisfies";
import type { Package } from "./production-packages";

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

/** Packages with another licence, by the beginning of their names, and that licence as they say it. */
const EXCEPTIONS: [start: string, license: string | null][] = [
  // A library of its own, which sharp loads as it is and anybody may replace: the LGPL asks for no more.
  ["@img/sharp-libvips-", "LGPL-3.0-or-later"],
  // They come with prisma's commands, which no server runs: the Dockerfile leaves them out of the image. The
  // second is under MIT by its text, the third under both.
  ["elkjs", "EPL-2.0"],
  ["seq-queue", null],
  ["@visx/vendor", "MIT and ISC"],
];

/** Returns what is wrong with a package's licence, or null. */
export function licenceFault({ name, version, license }: Package): string | null {
  const isExcepted = EXCEPTIONS.some(
    ([start, excepted]) => name.startsWith(start) && excepted === license,
  );
  if (isExcepted) return null;
  if (license === null) return `${name}@${version} names no licence`;
  try {
    if (satisfies(license, ALLOWED)) return null;
  } catch {
    return `${name}@${version} has a licence with an unknown name: ${license}`;
  }
  return `${name}@${version} has the licence ${license}, which is not allowed`;
}
