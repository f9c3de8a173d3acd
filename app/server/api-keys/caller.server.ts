import { requireUser } from "~/server/accounts/session.server";
import { currentRequest } from "~/utils/request-context.server";

/** Who calls a route that people and programs use alike. */
export interface Caller {
  /** The user's id. */
  id: string;
  emailVerified: boolean;
  /** The key of a program; null for a session. */
  apiKeyId: string | null;
}

/** Returns the holder of the request's key or the signed-in user. @throws AppError 401 unauthenticated */
export async function requireCaller(request: Request): Promise<Caller> {
  const key = currentRequest()?.key;
  if (key) return { id: key.userId, ...key };
  const { id, emailVerified } = await requireUser(request);
  return { id, emailVerified, apiKeyId: null };
}
