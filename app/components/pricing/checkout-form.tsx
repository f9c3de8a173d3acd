import type { ReactNode } from "react";
import { Button } from "~/components/button";

interface CheckoutFormProps {
  intent: "pack" | "plan";
  /** Name and value of the field that identifies the item. */
  item: { name: "skuKey" | "planKey"; value: string };
  label: string;
  look: "primary" | "secondary";
  children?: ReactNode;
}

/** Posts one item to the page, which redirects to the hosted checkout. */
export function CheckoutForm({ intent, item, label, look, children }: CheckoutFormProps) {
  return (
    <form method="post" data-reload-on-return className="mt-auto grid gap-4 pt-2">
      <input type="hidden" name={item.name} value={item.value} />
      {children}
      <Button look={look} name="intent" value={intent}>
        {label}
      </Button>
    </form>
  );
}
