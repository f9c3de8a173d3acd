import { AppError } from "~/utils/app-error";

/** Simultaneous uploads through the server, for one user and for all users of this process. */
const MOST_PER_USER = 2;
const MOST_PER_PROCESS = 20;

/** Seconds until a retry makes sense: a 10 MB upload takes about this long. */
const RETRY_AFTER = 10;

const running = new Map<string, number>();
let total = 0;

/**
 * Runs `work` if this process is running fewer than 2 uploads of this user and fewer than 20 in
 * all. Each holds up to 10 MB of disk, so this bounds the disk space used.
 * @throws AppError 503 uploads_busy, with `Retry-After`
 */
export async function withUploadSlot<T>(userId: string, work: () => Promise<T>): Promise<T> {
  const own = running.get(userId) ?? 0;
  if (own >= MOST_PER_USER || total >= MOST_PER_PROCESS) throw uploadsBusy();
  running.set(userId, own + 1);
  total += 1;
  try {
    return await work();
  } finally {
    total -= 1;
    const left = (running.get(userId) ?? 1) - 1;
    if (left > 0) running.set(userId, left);
    else running.delete(userId);
  }
}

function uploadsBusy(): AppError {
  return new AppError({
    code: "uploads_busy",
    publicMessage: `Too many uploads are running. Nothing was stored. Try again in ${RETRY_AFTER} seconds.`,
    headers: { "Retry-After": String(RETRY_AFTER) },
  });
}
