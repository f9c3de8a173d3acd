import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LANES, LEAST_PACE } from "~/utils/lanes.server";

test("docs/security.md lists every lane with its numbers, and no other", () => {
  const page = readFileSync("docs/security.md", "utf8");
  const section = page.slice(page.indexOf("## Lanes"), page.indexOf("## Page cache"));
  const number = (text = "") => (text === "–" ? Number.POSITIVE_INFINITY : Number(text));
  const documented = [...section.matchAll(/^\| `(\w+)` \|(.+)$/gm)].map(([, name, cells = ""]) => {
    const [slots, waiting, perUser, perNetwork, waitSeconds, workSeconds, retryAfter] = cells
      .split("|")
      .map((cell) => number(cell.trim().replace(/ s$/, "")));
    return [name, { slots, waiting, perUser, perNetwork, waitSeconds, workSeconds, retryAfter }];
  });
  const lanes = Object.entries(LANES).map(([name, lane]) => [
    name,
    Object.fromEntries(Object.entries(lane).filter(([, value]) => typeof value === "number")),
  ]);
  expect(documented).toEqual(lanes);
  expect(section).toContain(`${LEAST_PACE.bytesPerSecond.toLocaleString("en")} bytes a second`);
  expect(section).toContain(`over each ${LEAST_PACE.windowSeconds} seconds`);
});

test("no machine can take all of a lane, not even with an IPv4 address beside a wide IPv6 network", () => {
  for (const { slots, waiting, perUser, perNetwork } of Object.values(LANES)) {
    if (perUser !== Number.POSITIVE_INFINITY) expect(perUser).toBeLessThanOrEqual(perNetwork);
    if (perNetwork !== Number.POSITIVE_INFINITY)
      expect(perNetwork + 2 * perNetwork).toBeLessThan(slots + waiting);
  }
});

test("one of the four threads of libuv stays free: pages are compressed on it, and names looked up", () => {
  expect(LANES.pictures.slots + LANES.passwords.slots).toBeLessThan(4);
});

/** Heavy functions, and the files that may call them: each does so in a lane. */
const HEAVY: [pattern: RegExp, files: string[]][] = [
  [/"sharp"/, ["app/services/storage/preview.server.ts"]],
  [/"@node-rs\/argon2"/, ["app/services/auth/password.server.ts"]],
  [/@fastify\/busboy"/, ["app/server/files/parse-multipart.server.ts"]],
  [/"saxes"/, ["app/services/storage/svg-fault.server.ts"]],
  [/request\.body\b/, ["app/server/request/with-body.server.ts"]],
  [/password-estimator\.worker/, ["app/services/auth/password-strength.server.ts"]],
];

test("heavy work is done in its lane's file alone", () => {
  const sources = readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|generated/.test(name))
    .map((name) => ({ path: `app/${name}`, text: readFileSync(`app/${name}`, "utf8") }));
  for (const [pattern, files] of HEAVY) {
    const users = sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
    expect(users).toEqual(files);
  }
});
