/**
 * The packages that stay in node_modules; every other one becomes part of the server's build, which then
 * starts in half the time, since Node finds and reads a few files instead of a thousand. A package stays
 * outside if it has native code, finds files of its own at run time, or starts threads of its own. React
 * stays because it takes its development or production half when it starts, the AWS SDK and Prisma because they are large
 * and come as few files.
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
