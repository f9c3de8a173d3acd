import { afterAll, beforeEach } from "vitest";
import { type ImageSandbox, startImageSandbox } from "../../scripts/sandbox/images/image-sandbox";
import { createImageControl, type ImageControl } from "./image-sandbox";
import { type ServerUnderTest, withTestServer } from "./with-test-server";

interface ImageServerUnderTest extends ServerUnderTest {
  images: ImageControl;
  /** The variables with which the server reaches the stand-ins; for further servers. */
  imagesEnv: Record<string, string>;
}

/**
 * Starts a server with its own image providers, so that test files can order faults in parallel.
 */
export function withImageServer(env: Record<string, string> = {}): ImageServerUnderTest {
  let sandbox: ImageSandbox;
  const context = withTestServer(async () => {
    sandbox = await startImageSandbox({ port: 0 });
    const imagesEnv = { ...sandbox.env, CRON_SECRET: CRON_SECRET, ...env };
    Object.assign(context, { images: createImageControl(sandbox.controlUrl), imagesEnv });
    return imagesEnv;
  }) as ImageServerUnderTest;
  beforeEach(() => context.images.reset());
  afterAll(() => sandbox.stop());
  return context;
}

const CRON_SECRET = "cron-secret-for-tests-only";

/** Runs maintenance as the scheduler does and returns its counts. */
export async function runMaintenance(url: string): Promise<Record<string, number>> {
  const response = await fetch(`${url}/api/cron/maintenance`, {
    headers: { Authorization: `Bearer ${CRON_SECRET}` },
  });
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()) as Record<string, number>;
}
