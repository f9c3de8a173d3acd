import { afterAll, afterEach, inject } from "vitest";
import { type StoreProxy, startStoreProxy } from "./store-proxy";
import { type ServerUnderTest, withTestServer } from "./with-test-server";

interface StoreServerUnderTest extends ServerUnderTest {
  store: StoreProxy;
  /** The variables with which further servers reach the same store. */
  storeEnv: Record<string, string>;
}

/** Starts a server whose every request to the store is seen, and can be made to wait or fail. */
export function withStoreProxy(env: Record<string, string> = {}): StoreServerUnderTest {
  const context = withTestServer(async () => {
    const store = await startStoreProxy(inject("s3Env").S3_ENDPOINT);
    const storeEnv = { S3_ENDPOINT: store.url, CRON_SECRET: "cron-secret-for-tests-only", ...env };
    Object.assign(context, { store, storeEnv });
    return storeEnv;
  }) as StoreServerUnderTest;
  afterEach(() => {
    context.store.hold(() => false)();
    context.store.fail(() => false);
  });
  afterAll(() => context.store.close());
  return context;
}
