import { PlainScript } from "~/components/plain-script";
import { Notice } from "~/components/ui/notice";
import { type ShownChallenge, TRAP_FIELD } from "~/services/bot-challenge/challenge";

interface BotChallengeProps {
  /** Null where no challenge is configured. */
  challenge: ShownChallenge | null;
  /** Said to people without JavaScript, who cannot take the challenge. */
  withoutScript: string | null;
}

/** Keeps bots out of the form around it: the challenge, or else a field that only bots fill. */
export function BotChallenge({ challenge, withoutScript }: BotChallengeProps) {
  if (!challenge) return <HiddenTrap />;
  const { siteKey, scriptUrl, action } = challenge;
  return (
    <>
      <div data-challenge={siteKey} data-script={scriptUrl} data-action={action} />
      <PlainScript src="/bot-challenge.js" passesNonce />
      {withoutScript ? (
        <noscript>
          <Notice tone="info">{withoutScript}</Notice>
        </noscript>
      ) : null}
    </>
  );
}

/** Named like a field that bots fill; people neither see it nor reach it by keyboard. */
function HiddenTrap() {
  return (
    <div aria-hidden="true" className="sr-only">
      <input name={TRAP_FIELD} type="text" tabIndex={-1} autoComplete="off" />
    </div>
  );
}
