import { afterAll, beforeAll } from "vitest";
import { forgetEnv } from "~/env.server";
import { allowAddresses } from "~/services/outgoing/allowed-origins.server";

// Test files share a process. What one sets in the environment must not reach the next.
let before: NodeJS.ProcessEnv;

beforeAll(() => {
  before = { ...process.env };
  forgetEnv();
});

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  forgetEnv();
  allowAddresses({});
});
