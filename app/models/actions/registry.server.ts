import { ACTION_KEYS, type ActionKey } from "~/catalog";
import { Prisma } from "~/generated/prisma/client";
import { imageAction } from "~/models/images/image-action.server";
import type { ActionParts } from "~/models/metering/action-parts.server";
import { growingParts } from "~/models/metering/growing/growing-rows.server";
import { textAction } from "~/models/text/text-action.server";

/**
 * The parts that each action of the catalog adds to history, export and deletion. An action without its entry does not
 * compile. Its icon and page stand in `action-views.ts`, its part of the API in `action-apis.ts`.
 */
export const ACTION_PARTS: Record<ActionKey, ActionParts> = {
  image: imageAction,
  text: growingParts(textAction),
};

/** The actions that are on in this installation, in the catalog's order. */
export const actionsOn = (): ActionKey[] => ACTION_KEYS.filter((key) => ACTION_PARTS[key].isOn());

/** The action that credits are counted in and pages lead to: the first that is on; null if none is. */
export const mainAction = (): ActionKey | null => actionsOn()[0] ?? null;

/** The action whose result grows; undefined for any other, and for one that the catalog no longer has. */
export const growingAction = (key: ActionKey) => ACTION_PARTS[key]?.growing;

/** SQL: what the row `run` was about; null for an action that the catalog no longer has. */
export const SUBJECT = byAction(({ subject }) => subject);

/** SQL: the `RunPicture` of the row `run`, or null. */
export const PICTURE = byAction(({ picture }) => picture ?? Prisma.sql`SELECT NULL::jsonb`);

function byAction(part: (parts: ActionParts) => Prisma.Sql): Prisma.Sql {
  const cases = ACTION_KEYS.map((key) => Prisma.sql`WHEN ${key} THEN (${part(ACTION_PARTS[key])})`);
  return Prisma.sql`CASE run.action ${Prisma.join(cases, " ")} END`;
}
