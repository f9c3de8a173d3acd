import { expect, onTestFinished, test } from "vitest";
import { startCatcher } from "#tests/helpers/catcher";
import { verifyByLibrary } from "#tests/helpers/hostile-attestation";
import { _fetchInternals } from "../../../node_modules/@simplewebauthn/server/esm/helpers/fetch.js";
import { forbidLibraryToFetch } from "./attestation-statement.server";

test("the passkeys' library fetches addresses of certificates only until it is forbidden", async () => {
  const { stubThis } = _fetchInternals;
  onTestFinished(() => {
    _fetchInternals.stubThis = stubThis;
  });
  const { url, asked } = await startCatcher();
  await verifyByLibrary(`${url}/before`);
  expect(asked).toContain("/before");
  forbidLibraryToFetch();
  await verifyByLibrary(`${url}/after`);
  expect(asked).not.toContain("/after");
});
