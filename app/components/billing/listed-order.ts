import type { OrderStatus } from "~/generated/prisma/enums";

/** An order as its page's loader returns it. `amount` is in minor units. */
export interface ListedOrder {
  id: string;
  credits: number;
  amount: number;
  currency: string;
  status: OrderStatus;
  createdAt: Date;
}
