import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { FileAccess } from "~/generated/prisma/enums";

/** Who may open the images that the person generates from now on. */
export async function getImageAccess(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<FileAccess> {
  const statement = Prisma.sql`SELECT image_access AS access FROM users WHERE id = ${userId}::uuid`;
  const [user] = await queryPrepared<{ access: FileAccess }>("get_image_access", statement, db);
  if (!user) throw new Error("users: the owner of the images is gone");
  return user.access;
}

export async function setImageAccess(
  { userId, access }: { userId: string; access: FileAccess },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.user.update({ where: { id: userId }, data: { imageAccess: access } });
}
