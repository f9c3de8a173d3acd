import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import {
  boundToken,
  isLinkUsable,
  type Link,
  lockLinkOwner,
  spendLink,
} from "~/models/accounts/verification-tokens.server";

interface PresentedLink {
  /** As in the mailed link. */
  token: string;
  /** The session in which the link was opened. */
  sessionId: string;
}

const linkOf = ({ token, sessionId }: PresentedLink): Link => ({
  token: boundToken(token, sessionId),
  purpose: "confirm_identity",
});

/** Whether the link still works, in the session that it was asked for in. */
export function isConfirmLinkUsable(
  link: PresentedLink,
  db?: DatabaseOrTransaction,
): Promise<boolean> {
  return isLinkUsable(linkOf(link), db);
}

/** Uses up a link. Its session's person has proved who they are. */
export function spendConfirmLink(
  link: PresentedLink,
  db: Database = getDb(),
): Promise<"used" | "invalid_link"> {
  // Read committed: the conditional write that uses up the link decides.
  return db.$transaction(async (transaction) => {
    if (!(await lockLinkOwner(linkOf(link), transaction))) return "invalid_link";
    if ((await spendLink(linkOf(link), transaction)) !== "used") return "invalid_link";
    return "used";
  });
}
