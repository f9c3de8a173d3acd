import { createServer } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { startCatcher } from "../helpers/catcher";

type Hostile = typeof import("../helpers/hostile-attestation");
type Statement = typeof import("../../app/services/auth/attestation-statement.server");

test("in development the fetch that is forbidden is the one of the passkeys' library", async () => {
  const vite = await createServer({
    mode: "development",
    server: { middlewareMode: true, ws: false, watch: null },
    appType: "custom",
    logLevel: "warn",
  });
  onTestFinished(() => vite.close());
  const load = (file: string) => vite.ssrLoadModule(file);
  const { verifyByLibrary } = (await load("./tests/helpers/hostile-attestation.ts")) as Hostile;
  const { forbidLibraryToFetch } = (await load(
    "./app/services/auth/attestation-statement.server.ts",
  )) as Statement;
  const { url, asked } = await startCatcher();
  await verifyByLibrary(`${url}/before`);
  expect(asked).toContain("/before");
  forbidLibraryToFetch();
  await verifyByLibrary(`${url}/after`);
  expect(asked).not.toContain("/after");
});
