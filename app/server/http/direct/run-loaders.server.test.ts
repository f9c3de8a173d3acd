import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { expect, test, vi } from "vitest";
import { runWithRequestContext } from "~/utils/request-context.server";
import { routeMatcher } from "../route-tree.server";
import { type PageContext, runLoaders, withKnownOutcomes } from "./run-loaders.server";

const context = {} as AppLoadContext;
const request = new Request("http://site.example/en/account");

/** A frame and a page in it, whose loaders are these. */
function pageOf({ frame, page }: { frame: () => unknown; page: () => unknown }) {
  const build = {
    routes: {
      frame: { id: "frame", path: ":locale", module: { loader: frame } },
      page: { id: "page", parentId: "frame", path: "account", module: { loader: page } },
    },
  } as unknown as ServerBuild;
  const matches = routeMatcher(build.routes)("/en/account") as PageContext["matches"];
  return { build, run: () => runLoaders(build, { matches, request, context }) };
}

/** Calls a loader as Remix does. */
const runAsRemix = async (build: ServerBuild, id: string): Promise<unknown> => {
  const args = { request, context, params: {} };
  return await build.routes[id]?.module.loader?.(args);
};

test("loaders that return data give it by route", async () => {
  const { run } = pageOf({ frame: () => ({ user: "ada" }), page: async () => null });
  expect(await run()).toEqual({
    status: "loaded",
    data: { frame: { user: "ada" }, page: null },
  });
});

const down = new Error("down");
const toSignIn = redirect("/en/sign-in");

test.each([
  ["throws an error", () => Promise.reject(down), { threw: down }, "threw an error"],
  [
    "throws a redirect",
    () => Promise.reject(toSignIn),
    { threw: toSignIn },
    "threw a response of status 302",
  ],
  ["returns a response", () => toSignIn, toSignIn, "returned a response of status 302"],
  [
    "returns a status",
    () => data("gone", { status: 410 }),
    data("gone", { status: 410 }),
    "returned a status or headers",
  ],
  ["returns nothing", () => undefined, undefined, "returned nothing"],
])(
  "a page whose loader %s is left to Remix, and no loader runs twice",
  async (_name, page, outcome, did) => {
    const loaders = { frame: vi.fn(() => ({})), page: vi.fn<() => unknown>(page) };
    const { build, run } = pageOf(loaders);
    await runWithRequestContext({ requestId: "1" }, async () => {
      expect(await run()).toEqual({ status: "left", reason: `the loader of page ${did}` });
      const again = withKnownOutcomes(build);
      expect(await runAsRemix(again, "frame")).toEqual({});
      const second = runAsRemix(again, "page").catch((threw: unknown) => ({ threw }));
      expect(await second).toEqual(outcome);
    });
    expect(loaders.frame).toHaveBeenCalledTimes(1);
    expect(loaders.page).toHaveBeenCalledTimes(1);
  },
);

test("what a loader did is not known to another request", async () => {
  let attempts = 0;
  const page = () => (++attempts === 1 ? Promise.reject(new Error("down")) : { attempts });
  const { build, run } = pageOf({ frame: () => ({}), page });
  await runWithRequestContext({ requestId: "1" }, run);
  const other = await runWithRequestContext({ requestId: "1" }, () =>
    runAsRemix(withKnownOutcomes(build), "page"),
  );
  expect(other).toEqual({ attempts: 2 });
});
