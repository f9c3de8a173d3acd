import { expect, test } from "vitest";
import { sendRaw } from "../../helpers/raw-request";
import { createTestDatabase } from "../../helpers/test-database";
import { startTestServer } from "../../helpers/test-server";

const HTTPS = { NEXT_PUBLIC_SITE_URL: "https://localhost", TRUST_PROXY: "1" };

const HEAD = ["Host: localhost", "Connection: close"];
/** A page, its data, constants, files, redirects, refusals of every layer, and what Node refuses by itself. */
const REQUESTS: string[][] = [
  ["GET /en HTTP/1.1", ...HEAD],
  ["GET /en/account HTTP/1.1", ...HEAD],
  ["GET / HTTP/1.1", ...HEAD],
  ["GET /nowhere HTTP/1.1", ...HEAD],
  ["GET /robots.txt HTTP/1.1", ...HEAD],
  ["GET /favicon.svg HTTP/1.1", ...HEAD],
  ["GET /healthz HTTP/1.1", ...HEAD],
  ["GET /api/account/credits HTTP/1.1", ...HEAD],
  ["PUT /en HTTP/1.1", ...HEAD],
  ["GET /en/../en HTTP/1.1", ...HEAD],
  ["POST /en/sign-in HTTP/1.1", "Origin: https://other.example", ...HEAD],
  ["GET /en HTTP/1.1", "Host: a b", "Connection: close"],
  ["NO HTTP AT ALL"],
  ["GET /en HTTP/1.1", "Host: localhost", `X-Long: ${"x".repeat(20_000)}`],
];

test.each([
  [HTTPS, "max-age=31536000; includeSubDomains"],
  [{ ...HTTPS, HSTS_INCLUDE_SUBDOMAINS: "true" }, "max-age=31536000; includeSubDomains"],
  [{ ...HTTPS, HSTS_INCLUDE_SUBDOMAINS: "false" }, "max-age=31536000"],
  [{}, null],
])("with %j every response has the header %j, and the others", async (env, expected) => {
  const server = await startTestServer({ DATABASE_URL: await createTestDatabase(), ...env });
  try {
    for (const lines of REQUESTS) {
      const { headers, status } = await sendRaw(server.url, lines);
      expect(status).toBeGreaterThan(199);
      expect([lines[0], headers.get("strict-transport-security")]).toEqual([lines[0], expected]);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    }
  } finally {
    await server.stop();
  }
});
