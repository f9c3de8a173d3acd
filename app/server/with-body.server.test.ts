import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withBody } from "~/server/with-body.server";
import { AppError } from "~/utils/app-error";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const KB = 1_000;

const fault = (code: "payload_too_large" | "invalid_input") =>
  new AppError({ code, publicMessage: "on purpose" });

/** A body whose pieces come after these seconds each; null is its end. */
function bodyOf(pieces: [seconds: number, bytes: number | null][]): Request {
  const coming = [...pieces];
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const [seconds, bytes] = coming.shift() ?? [3_600, null];
        await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
        if (bytes === null) controller.close();
        else controller.enqueue(new Uint8Array(bytes));
      },
    },
    { highWaterMark: 0 },
  );
  return new Request("http://a.test/", { method: "POST", body, duplex: "half" } as RequestInit);
}

/** Returns the number of bytes read, or the code of the refusal. */
async function resultOf(request: Request, limit = 10_000 * KB): Promise<number | string> {
  const rules = {
    lane: "bodies",
    freeBytes: 16 * KB,
    limit,
    tooLong: () => fault("payload_too_large"),
    brokenOff: () => fault("invalid_input"),
  } as const;
  const result = withBody(request, rules, async (pieces) => {
    let length = 0;
    for await (const piece of pieces) length += piece.byteLength;
    return length;
  }).catch((error: AppError) => error.code);
  await vi.advanceTimersByTimeAsync(150_000);
  return Promise.race([result, "still open"]);
}

test("a body that keeps the pace is read, in small steps or in bursts", async () => {
  const steps = Array.from<[number, number]>({ length: 60 }).fill([1, 21 * KB]);
  expect(await resultOf(bodyOf([...steps, [0, null]]))).toBe(60 * 21 * KB);
  // A burst ends a wait that began in the window before.
  const bursts = Array.from({ length: 5 }).flatMap<[number, number]>(() => [
    [9.7, 64 * KB],
    [0.2, 64 * KB],
    [0.2, 120 * KB],
  ]);
  const start: [number, number][] = [
    [0, 210 * KB],
    [5, 210 * KB],
  ];
  expect(await resultOf(bodyOf([...start, ...bursts, [0, null]]))).toBe(1_660 * KB);
});

test.each<[string, [number, number | null][]]>([
  ["stops", [[0, 20 * KB]]],
  ["trickles", [[0, 20 * KB], ...Array.from<[number, number]>({ length: 60 }).fill([1, 19 * KB])]],
  ["stops after a good start", [[0, 500 * KB]]],
])("a body that %s is given up", async (_name, pieces) => {
  expect(await resultOf(bodyOf(pieces))).toBe("request_timeout");
});

test("a short body may take its time", async () => {
  expect(
    await resultOf(
      bodyOf([
        [50, 8 * KB],
        [50, 4 * KB],
        [0, null],
      ]),
    ),
  ).toBe(12 * KB);
});

test("a body is refused where it passes the limit", async () => {
  expect(
    await resultOf(
      bodyOf([
        [0, 20 * KB],
        [0, 20 * KB],
        [0, null],
      ]),
      30 * KB,
    ),
  ).toBe("payload_too_large");
});
