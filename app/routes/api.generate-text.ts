import { textAction } from "~/models/text/text-action.server";
import { growingRoute } from "~/server/metering/growing-run.server";

const route = growingRoute(textAction);

export const loader = route.loader;
export const action = route.action;
