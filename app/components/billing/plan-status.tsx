import { useStatusWords } from "~/components/billing/use-status-words";
import { Badge, type BadgeTone } from "~/components/ui/badge";
import type { ShownSubscription } from "~/models/billing/subscriptions/shown-subscription";

const TONES: Record<ShownSubscription["status"], BadgeTone> = {
  active: "good",
  trialing: "good",
  past_due: "warn",
  unpaid: "warn",
  paused: "neutral",
  incomplete: "neutral",
  expired: "warn",
  canceled: "neutral",
  unknown: "warn",
};

/** A subscription's status in a word or two. */
export function PlanStatus({ subscription }: { subscription: ShownSubscription }) {
  const { name } = useStatusWords(subscription);
  const { status, cancelAtPeriodEnd } = subscription;
  const isEnding = cancelAtPeriodEnd && TONES[status] === "good";
  return <Badge tone={isEnding ? "neutral" : TONES[status]}>{name}</Badge>;
}
