import { useEffect, useRef } from "react";
import { showChallenge } from "~/components/account/challenge-widget";
import { Notice } from "~/components/notice";
import { type ShownChallenge, TRAP_FIELD } from "~/services/bot-challenge/challenge";

interface BotChallengeProps {
  /** Null where no challenge is configured. */
  challenge: ShownChallenge | null;
  /** The form's last result. A token works once, so each new result needs a new one. */
  attempt: unknown;
  /** Said to people without JavaScript, who cannot take the challenge. */
  withoutScript: string | null;
}

/** Keeps bots out of the form around it: the challenge, or else a field that only bots fill. */
export function BotChallenge({ challenge, attempt, withoutScript }: BotChallengeProps) {
  if (!challenge) return <HiddenTrap />;
  return (
    <>
      <ChallengeBox challenge={challenge} attempt={attempt} />
      {withoutScript ? (
        <noscript>
          <Notice tone="info">{withoutScript}</Notice>
        </noscript>
      ) : null}
    </>
  );
}

function ChallengeBox({ challenge, attempt }: { challenge: ShownChallenge; attempt: unknown }) {
  const { siteKey, scriptUrl, action } = challenge;
  const container = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt needs a new token.
  useEffect(() => {
    if (!container.current) return;
    return showChallenge(container.current, { siteKey, scriptUrl, action });
  }, [siteKey, scriptUrl, action, attempt]);
  return <div ref={container} />;
}

/** Named like a field that bots fill; people neither see it nor reach it by keyboard. */
function HiddenTrap() {
  return (
    <div aria-hidden="true" className="sr-only">
      <input name={TRAP_FIELD} type="text" tabIndex={-1} autoComplete="off" />
    </div>
  );
}
