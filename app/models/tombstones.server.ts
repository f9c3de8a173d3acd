import { Prisma } from "~/generated/prisma/client";
import { TOMBSTONE_PATTERN } from "~/utils/tombstone";

/** SQL: whether a row of `users` is what the deletion of an account left. */
export const IS_TOMBSTONE = Prisma.sql`(email LIKE ${TOMBSTONE_PATTERN} AND password_hash IS NULL)`;
