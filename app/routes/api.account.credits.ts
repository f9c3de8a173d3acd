import { getCredits } from "~/models/credits/balance.server";
import { listTransactions } from "~/models/credits/transactions.server";
import { requireCaller } from "~/server/api-keys/caller.server";
import { limitLists } from "~/server/limits/limit-lists.server";
import type { CreditsResponse } from "~/server/openapi/credits-responses";
import { apiRoute } from "~/server/request/api-route.server";

const route = apiRoute({
  async GET({ request }) {
    const { id: userId } = await requireCaller(request);
    await limitLists(userId);
    const cursor = new URL(request.url).searchParams.get("cursor");
    const [{ balance, expiring }, { transactions, nextCursor }] = await Promise.all([
      getCredits(userId),
      listTransactions({ userId, cursor }),
    ]);
    const response: CreditsResponse = {
      balance,
      expiring: expiring && { amount: expiring.amount, at: expiring.at.toISOString() },
      transactions: transactions.map(
        ({ id, type, amount, balanceAfter, remaining, expiresAt, description, createdAt }) => ({
          id,
          type,
          amount,
          balanceAfter,
          remaining,
          expiresAt: expiresAt?.toISOString() ?? null,
          description,
          createdAt: createdAt.toISOString(),
        }),
      ),
      nextCursor,
    };
    return response;
  },
});

export const loader = route.loader;
export const action = route.action;
