import type { RequestHandler } from "express";
import { sendDueEmails } from "~/models/mailing/send-emails.server";
import { log } from "~/utils/logger.server";
import { currentRequest } from "~/utils/request-context.server";

/** As many as the mail server gets connections. */
const AT_ONCE = 3;
/** Emails sent by one worker in a row; maintenance sends the rest. */
const MAX_IN_A_ROW = 1000;

const workers = new Set<Promise<void>>();
let isWanted = false;
let isStopping = false;

/**
 * Sends what waits in the outbox, without being awaited. At most three workers run; each sends email
 * after email until none is due. What can't be sent now is left to maintenance.
 */
export function sendQueuedEmails(): void {
  if (isStopping) return;
  if (workers.size >= AT_ONCE) {
    // A worker may just have found nothing more to do.
    isWanted = true;
    return;
  }
  const worker: Promise<void> = sendDueEmails({ limit: MAX_IN_A_ROW, goOn: () => !isStopping })
    .then(() => {})
    .catch((error: unknown) => log().error({ err: error }, "emails wait for maintenance"))
    .finally(() => {
      workers.delete(worker);
      if (!isWanted) return;
      isWanted = false;
      sendQueuedEmails();
    });
  workers.add(worker);
}

/** Serves requests with `handler`, and sends the emails that a request queued once it was served. */
export function thenSendEmails(handler: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const context = currentRequest();
    try {
      await handler(request, response, next);
    } finally {
      if (context?.hasQueuedEmail) sendQueuedEmails();
    }
  };
}

/** Returns the number of workers that run. */
export function countEmailWorkers(): number {
  return workers.size;
}

/** Starts no further email. Those being sent go on. */
export function stopSendingEmails(): void {
  isStopping = true;
}

/** Resolves once no email is being sent. */
export async function emailsDone(): Promise<void> {
  while (workers.size > 0) await Promise.all(workers);
}
