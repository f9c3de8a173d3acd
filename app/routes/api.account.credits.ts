import { readAccountView } from "~/models/credits/account-view.server";
import { causeOf } from "~/models/credits/cause";
import type { Lot } from "~/models/credits/lot";
import type { StoryRow } from "~/models/credits/story.server";
import { requireCaller } from "~/server/api-keys/caller.server";
import { limitLists } from "~/server/limits/limit-lists.server";
import type { CreditsResponse } from "~/server/openapi/credits-responses";
import { apiRoute } from "~/server/request/api-route.server";

const route = apiRoute({
  async GET({ request }) {
    const { id: userId } = await requireCaller(request);
    await limitLists(userId);
    const cursor = new URL(request.url).searchParams.get("cursor");
    const account = await readAccountView({ userId, cursor });
    const { balance, expiring, lots, transactions, nextCursor } = account;
    const response: CreditsResponse = {
      balance,
      expiring: expiring && { amount: expiring.amount, at: expiring.at.toISOString() },
      lots: lots === null ? null : lots.map(describeLot),
      transactions: transactions.map(describeTransaction),
      nextCursor,
    };
    return response;
  },
});

const describeLot = (lot: Lot): NonNullable<CreditsResponse["lots"]>[number] => ({
  id: lot.id,
  cause: causeOf(lot),
  amount: lot.amount,
  remaining: lot.remaining,
  expiresAt: lot.expiresAt?.toISOString() ?? null,
  createdAt: lot.createdAt.toISOString(),
  uses: lot.uses,
});

const describeTransaction = (row: StoryRow): CreditsResponse["transactions"][number] => ({
  id: row.id,
  type: row.type,
  amount: row.amount,
  balanceAfter: row.balanceAfter,
  remaining: row.remaining,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  description: row.description,
  createdAt: row.createdAt.toISOString(),
  cause: causeOf(row),
  apiKey: row.apiKey,
  lots: row.lots,
});

export const loader = route.loader;
export const action = route.action;
