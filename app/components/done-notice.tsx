import { useActionData } from "@remix-run/react";
import { Notice } from "~/components/ui/notice";

interface DoneNoticeProps {
  /** The finished action, as the page's address names it. */
  done: string | null;
  /** The text for each value; null for one that doesn't apply any more. */
  texts: Record<string, string | null>;
}

/** Says that a form's action succeeded, until another one on the page is refused. */
export function DoneNotice({ done, texts }: DoneNoticeProps) {
  const refused = useActionData() !== undefined;
  const text = done !== null && Object.hasOwn(texts, done) ? texts[done] : null;
  return text && !refused ? <Notice tone="good">{text}</Notice> : null;
}
