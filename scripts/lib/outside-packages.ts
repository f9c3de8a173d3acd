/**
 * The packages that stay in node_modules. Every other one becomes part of the server's build, which then
 * starts in half the time: Node finds and reads a few files instead of a thousand. A package stays outside
 * if it has native code, finds files of its own at run time, or starts threads. React stays because it
 * chooses between its development and its production code when it starts, and node-postgres because
 * Prisma's adapter uses it, too.
 */
export const OUTSIDE_PACKAGES = [
  "@node-rs/argon2",
  "@prisma/adapter-pg",
  "@prisma/client",
  "pg",
  "pino",
  "piscina",
  "react",
  "react-dom",
  "sharp",
];
