import { z } from "zod";
import { listRuns } from "~/models/metering/list-runs.server";
import { accountOf } from "~/models/metering/runs.server";
import { requireCaller } from "~/server/api-keys/caller.server";
import { limitLists } from "~/server/limits/limit-lists.server";
import { runResponses } from "~/server/metering/run-response.server";
import { actionSchema, type RunsResponse } from "~/server/openapi/run-responses";
import { apiRoute } from "~/server/request/api-route.server";
import { AppError } from "~/utils/app-error";

const querySchema = z.object({ action: actionSchema.nullable(), cursor: z.string().nullable() });

const route = apiRoute({
  async GET({ request }) {
    const user = await requireCaller(request);
    await limitLists(user.id);
    const search = new URL(request.url).searchParams;
    const query = querySchema.safeParse({
      action: search.get("action"),
      cursor: search.get("cursor"),
    });
    if (!query.success) throw unknownAction();
    const { runs, nextCursor } = await listRuns({ accountId: accountOf(user), ...query.data });
    const response: RunsResponse = { runs: await runResponses(runs), nextCursor };
    return response;
  },
});

const unknownAction = () =>
  new AppError({
    code: "invalid_input",
    publicMessage: "Check this parameter: action.",
    fields: { action: [`Use one of: ${actionSchema.options.join(", ")}.`] },
  });

export const loader = route.loader;
export const action = route.action;
