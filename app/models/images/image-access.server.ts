import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { FileAccess } from "~/generated/prisma/enums";

/** Who may open the images that the person generates from now on. */
export async function getImageAccess(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<FileAccess> {
  const { imageAccess } = await db.user.findUniqueOrThrow({
    where: { id: userId },
    select: { imageAccess: true },
  });
  return imageAccess;
}

export async function setImageAccess(
  { userId, access }: { userId: string; access: FileAccess },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.user.update({ where: { id: userId }, data: { imageAccess: access } });
}
