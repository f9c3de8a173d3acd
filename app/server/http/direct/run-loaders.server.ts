import type { AppLoadContext, EntryContext, LoaderFunction, ServerBuild } from "@remix-run/node";
import { currentRequest } from "~/utils/request-context.server";

export type PageContext = EntryContext["staticHandlerContext"];
type Outcome = PromiseSettledResult<Awaited<ReturnType<LoaderFunction>>>;

/** The outcomes of a request's loaders, by the request's context and the route's id. */
const outcomes = new WeakMap<object, Map<string, Outcome>>();

type Loaded =
  | { status: "loaded"; data: Record<string, unknown> }
  /** A loader threw or returned anything but data: a response, a status, a header. */
  | { status: "left"; reason: string };

/** Runs the loaders of a page at once. If the page is left to Remix, `withKnownOutcomes` gives Remix what they did. */
export async function runLoaders(
  { routes }: ServerBuild,
  {
    matches,
    request,
    context,
  }: Pick<PageContext, "matches"> & {
    request: Request;
    context: AppLoadContext;
  },
): Promise<Loaded> {
  const running = matches.flatMap(({ route: { id }, params }) => {
    const loader = routes[id]?.module.loader;
    return loader ? [{ id, outcome: settle(loader, { request, params, context }) }] : [];
  });
  const settled = new Map<string, Outcome>();
  for (const { id, outcome } of running) settled.set(id, await outcome);
  const data: Record<string, unknown> = {};
  for (const [id, outcome] of settled) {
    if (outcome.status === "rejected" || !isData(outcome.value)) {
      const request = currentRequest();
      if (request) outcomes.set(request, settled);
      return { status: "left", reason: `the loader of ${id} ${describe(outcome)}` };
    }
    data[id] = outcome.value;
  }
  // A route without a loader has null, as Remix gives it.
  for (const { route } of matches) if (!settled.has(route.id)) data[route.id] = null;
  return { status: "loaded", data };
}

function describe(outcome: Outcome): string {
  const did = outcome.status === "rejected" ? "threw" : "returned";
  const what: unknown = outcome.status === "rejected" ? outcome.reason : outcome.value;
  if (what instanceof Response) return `${did} a response of status ${what.status}`;
  if (outcome.status === "rejected") return "threw an error";
  return what === undefined ? "returned nothing" : "returned a status or headers";
}

async function settle(
  loader: LoaderFunction,
  args: Parameters<LoaderFunction>[0],
): Promise<Outcome> {
  try {
    return { status: "fulfilled", value: await loader(args) };
  } catch (reason) {
    return { status: "rejected", reason };
  }
}

/** Returns false for responses, and for Remix's `data()`, which has a status or headers. */
function isData(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === null;
  return !(value instanceof Response) && !("type" in value && "init" in value);
}

/** Returns a build whose loaders do again what `runLoaders` saw them do in this request, without running. */
export function withKnownOutcomes(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    const loader = route?.module.loader;
    if (!route || !loader) return [id, route];
    const replay: LoaderFunction = (args, ...rest) => {
      const outcome = knownOutcome(id);
      if (!outcome) return loader(args, ...rest);
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    };
    return [id, { ...route, module: { ...route.module, loader: replay } }];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

function knownOutcome(id: string): Outcome | undefined {
  const request = currentRequest();
  return request && outcomes.get(request)?.get(id);
}
