import type { RequestHandler } from "express";
import { sendDueEmails } from "~/models/mailing/send-emails.server";
import { createWorkers } from "~/server/workers.server";
import { currentRequest } from "~/utils/request-context.server";

/** Emails sent by one worker in a row; maintenance sends the rest. */
const MAX_IN_A_ROW = 1000;

/** Send what waits in the outbox: as many at once as the mail server gets connections. */
export const emailWorkers = createWorkers({
  task: "emails",
  atOnce: 3,
  work: (goOn) => sendDueEmails({ limit: MAX_IN_A_ROW, goOn }),
});

/** Serves requests with `handler`, and sends the emails that a request queued once it was served. */
export function thenSendEmails(handler: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const context = currentRequest();
    try {
      await handler(request, response, next);
    } finally {
      if (context?.hasQueuedEmail) emailWorkers.wake();
    }
  };
}
