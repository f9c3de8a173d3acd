import { z } from "zod";
import {
  createChallenge,
  dropChallenge,
  findChallenge,
} from "~/models/accounts/auth-challenges.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { REPEATED_PURPOSES } from "~/services/auth/account-forms";

const purpose = "step_up";

const schema = z.object({
  sessionId: z.string(),
  /** The path that the form is sent to. */
  action: z.string(),
  fields: z.record(z.string(), z.string()),
  /** The form's purpose, as the page that asks says it. */
  what: z.enum(REPEATED_PURPOSES),
});

/** A form that was sent before its person had proved who they are. It holds no secrets. */
export type RepeatedForm = Omit<z.output<typeof schema>, "sessionId">;

type Owner = Pick<SessionUser, "id" | "sessionId">;

/** Keeps a form for ten minutes, for this session alone, and returns its token. */
export function keepForm({ id: userId, sessionId }: Owner, form: RepeatedForm): Promise<string> {
  return createChallenge({ purpose, userId, data: { sessionId, ...form } });
}

/** Returns the form that this session sent; null for another session's and for one that is over. */
export async function findForm(token: string | null, owner: Owner): Promise<RepeatedForm | null> {
  const kept = token ? await findChallenge({ purpose, token }) : null;
  const form = schema.safeParse(kept?.data).data;
  if (!form || kept?.userId !== owner.id || form.sessionId !== owner.sessionId) return null;
  const { action, fields, what } = form;
  return { action, fields, what };
}

/** Forgets a form: it is sent again once. */
export function dropForm(token: string): Promise<void> {
  return dropChallenge({ purpose, token });
}
