import type { Period } from "~/catalog";
import { Button } from "~/components/ui/button";

interface CheckoutFormProps {
  intent: "pack" | "plan";
  /** Name and value of the field that identifies the item. */
  item: { name: "skuKey" | "planKey"; value: string };
  /** How a plan is paid. */
  period?: Period;
  label: string;
  look: "primary" | "secondary";
  size?: "normal" | "large";
  className?: string;
}

/** Posts one item to the pricing page, which redirects to the hosted checkout. */
export function CheckoutForm(props: CheckoutFormProps) {
  const { intent, item, period, label, look, size = "normal", className } = props;
  return (
    <form method="post" data-reload-on-return className={className}>
      <input type="hidden" name={item.name} value={item.value} />
      {period ? <input type="hidden" name="period" value={period} /> : null}
      <Button look={look} size={size} wide name="intent" value={intent}>
        {label}
      </Button>
    </form>
  );
}
