import { useTranslations } from "use-intl";
import { ACTIONS, type ActionKey } from "~/catalog";
import { ACTION_VIEWS } from "~/components/actions/action-views";

/** Returns texts that say what credits buy of an action. */
export function useCreditWords() {
  const t = useTranslations();
  const unitsOf = (action: ActionKey, count: number) =>
    t(ACTION_VIEWS[action].words.units, { count });
  return {
    /** Units that so many credits pay for: "1,000 tokens". */
    bought: (action: ActionKey, credits: number) => {
      const { price } = ACTIONS[action];
      return unitsOf(action, Math.floor(credits / price.credits) * price.per);
    },
    /** The price: "1 credit buys 1,000 tokens". */
    rate: (action: ActionKey) => {
      const { credits, per } = ACTIONS[action].price;
      return t("pricing.rate", { credits, units: unitsOf(action, per) });
    },
  };
}
