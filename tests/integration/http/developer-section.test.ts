import { expect, test } from "vitest";
import { withTestServer } from "../../helpers/with-test-server";

const live = withTestServer();
const trial = withTestServer({ NODE_ENV: "test" });
const advertised = withTestServer({ DEVELOPER_SECTION: "true" });

test("the part for developers is on the start page outside production, and where it is switched on", async () => {
  const isShown = async ({ url }: { url: string }) =>
    (await (await fetch(`${url}/en`)).text()).includes("This whole site is yours to clone");
  expect([await isShown(trial), await isShown(live), await isShown(advertised)]).toEqual([
    true,
    false,
    true,
  ]);
});
