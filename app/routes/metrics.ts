import { getMetricsText } from "~/server/metrics/metrics-text.server";
import { apiRoute } from "~/server/request/api-route.server";

/** Numbers for Prometheus. Only its own bearer token gets them. */
const route = apiRoute({
  GET: ({ request }) => getMetricsText({ request, withFacts: true }),
});

export const loader = route.loader;
export const action = route.action;
