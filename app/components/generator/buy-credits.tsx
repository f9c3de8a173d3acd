import type { ComponentProps } from "react";
import { useTranslations } from "use-intl";
import { Button } from "~/components/ui/button";
import { BUY, GENERATOR_FORM } from "~/services/images/generator-intent";

/** Leads to the packs, and sends the generator's form along, to be kept as it is typed. */
export function BuyCredits(looks: Pick<ComponentProps<typeof Button>, "look" | "size">) {
  return (
    <Button form={GENERATOR_FORM} name="intent" value={BUY} formNoValidate {...looks}>
      {useTranslations()("generator.short.buy")}
    </Button>
  );
}
