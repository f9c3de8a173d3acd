import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createLane, type LaneLimits, type LaneRefusal } from "~/utils/lane.server";

class Refused extends Error {
  readonly reason: LaneRefusal;

  constructor(reason: LaneRefusal) {
    super(reason);
    this.reason = reason;
  }
}

const LIMITS: LaneLimits = {
  slots: 2,
  waiting: 4,
  perUser: 3,
  perNetwork: 4,
  waitSeconds: 60,
  workSeconds: 60,
};

const laneWith = (limits: Partial<LaneLimits> = {}, ready?: () => Promise<void>) =>
  createLane({ ...LIMITS, ...limits }, (reason) => new Refused(reason), ready);

/** Work that goes on until the test ends it. */
function openWork() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended, end };
}

const network = (name: string, scale = 1) => ({ network: name, scale });

interface Piece {
  user: string;
  network: string;
  fails: boolean;
}

const pieces = fc.array(
  fc.record({
    user: fc.constantFrom("a", "b", "c", "d"),
    network: fc.constantFrom("n1", "n2", "n3"),
    fails: fc.boolean(),
  }),
  { maxLength: 40 },
);
const readies = fc.constantFrom(undefined, async () => {});
const limits = fc.record({
  slots: fc.integer({ min: 1, max: 4 }),
  waiting: fc.integer({ min: 0, max: 8 }),
  perUser: fc.integer({ min: 1, max: 6 }),
  perNetwork: fc.integer({ min: 1, max: 8 }),
});
/** Each step: a new piece comes, or one that runs ends. */
const steps = fc.array(fc.nat(), { minLength: 100, maxLength: 100 });

test("slots, queue and shares are never exceeded, those in the queue take turns, and everyone comes to an end", async () => {
  await fc.assert(
    fc.asyncProperty(pieces, limits, readies, steps, async (crowd, bounds, ready, choices) => {
      const lane = laneWith(bounds, ready);
      const running: { piece: Piece; end(): void }[] = [];
      const queue: Piece[] = [];
      const refused: Piece[] = [];
      const failures: Piece[] = [];
      const done: Promise<unknown>[] = [];
      /** For each waiting user, the users who got a slot since it began to wait. */
      const passedBy = new Map<string, string[]>();

      const begin = (piece: Piece) => {
        const { work, end } = openWork();
        queue.push(piece);
        const run = lane.run(
          { userId: piece.user, networks: [network(piece.network)] },
          async () => {
            queue.splice(queue.indexOf(piece), 1);
            for (const [user, others] of passedBy) if (user !== piece.user) others.push(piece.user);
            passedBy.delete(piece.user);
            running.push({ piece, end });
            await work();
            if (piece.fails) throw new Error("on purpose");
          },
        );
        done.push(
          run.catch((error: unknown) => {
            if (!(error instanceof Refused)) return failures.push(piece);
            queue.splice(queue.indexOf(piece), 1);
            return refused.push(piece);
          }),
        );
      };

      const check = () => {
        expect(lane.load()).toEqual({ running: running.length, waiting: queue.length });
        expect(running.length).toBeLessThanOrEqual(bounds.slots);
        expect(queue.length).toBeLessThanOrEqual(bounds.waiting);
        const active = [...running.map(({ piece }) => piece), ...queue];
        for (const name of ["a", "b", "c", "d"])
          expect(active.filter(({ user }) => user === name).length).toBeLessThanOrEqual(
            bounds.perUser,
          );
        for (const name of ["n1", "n2", "n3"])
          expect(active.filter((piece) => piece.network === name).length).toBeLessThanOrEqual(
            bounds.perNetwork,
          );
        // No slot is idle while somebody waits.
        if (queue.length > 0) expect(running).toHaveLength(bounds.slots);
        for (const { user } of queue) if (!passedBy.has(user)) passedBy.set(user, []);
        // Nobody was served twice while another waited.
        for (const others of passedBy.values()) expect(new Set(others).size).toBe(others.length);
      };

      const waiting = [...crowd];
      for (const choice of choices) {
        const isArrival = choice % 2 === 0 && waiting.length > 0;
        if (isArrival) begin(waiting.shift() as Piece);
        else running.splice(choice % Math.max(1, running.length), 1)[0]?.end();
        await nextTurn();
        check();
      }
      while (running.length > 0) {
        running.shift()?.end();
        await nextTurn();
        check();
      }
      await Promise.all(done);
      expect(lane.load()).toEqual({ running: 0, waiting: 0 });
      const isFailing = ({ fails }: Piece) => fails;
      const served = crowd
        .slice(0, crowd.length - waiting.length)
        .filter((p) => !refused.includes(p));
      expect(new Set(failures)).toEqual(new Set(served.filter(isFailing)));
    }),
    { numRuns: 60 },
  );
});

test("a crowd beyond its share is refused for that, and a newcomer to a full lane for lack of room", async () => {
  const lane = laneWith();
  const { work, end } = openWork();
  const of = (userId: string, name: string) =>
    lane.run({ userId, networks: [network(name)] }, work).then(
      () => "served",
      (error: Refused) => error.reason,
    );
  const one = Array.from({ length: 5 }, () => of("a", "n1"));
  // A second account in the same network has what is left of the network's share.
  const two = Array.from({ length: 3 }, () => of("b", "n1"));
  const others = [of("c", "n2"), of("d", "n3")];
  const late = of("e", "n4");
  end();
  expect(await Promise.all(one)).toEqual(["served", "served", "served", "share", "share"]);
  expect(await Promise.all(two)).toEqual(["served", "share", "share"]);
  expect(await Promise.all(others)).toEqual(["served", "served"]);
  expect(await late).toBe("full");
});

test("a holder of many IPv6 networks has twice the share of one of them", async () => {
  const lane = laneWith({ slots: 100, perNetwork: 2 });
  const { work, end } = openWork();
  const results = Array.from({ length: 6 }, (_, index) =>
    lane.run({ networks: [network(`n${index}`), network("whole", 20)] }, work).then(
      () => true,
      () => false,
    ),
  );
  end();
  expect(await Promise.all(results)).toEqual([true, true, true, true, false, false]);
});

test("a holder of many IPv6 networks has one turn, not one for each", async () => {
  const lane = laneWith({ slots: 1, waiting: 10 });
  const order: string[] = [];
  const piece = (name: string, ...networks: string[]) =>
    lane.run({ networks: networks.map((one) => network(one, 2)) }, async () => {
      order.push(name);
    });
  await Promise.all([
    ...["n1", "n2", "n3", "n4"].map((narrow) => piece("holder", narrow, "whole")),
    piece("neighbour", "other"),
  ]);
  expect(order.indexOf("neighbour")).toBeLessThanOrEqual(2);
});

test("a slot is given to whoever's turn it is once the lane is ready", async () => {
  const { work: ready, end } = openWork();
  const lane = laneWith({ slots: 1 }, ready);
  const order: string[] = [];
  const piece = (userId: string) =>
    lane.run({ userId }, async () => {
      order.push(userId);
    });
  const all = [piece("a"), piece("a"), piece("b")];
  await nextTurn();
  expect(order).toEqual([]);
  end();
  await Promise.all(all);
  expect(order).toEqual(["a", "b", "a"]);
});

test("whoever waits too long is refused and leaves the queue", async () => {
  const lane = laneWith({ slots: 1, waitSeconds: 0.02 });
  const { work, end } = openWork();
  const first = lane.run({ userId: "a" }, work);
  await expect(lane.run({ userId: "b" }, work)).rejects.toMatchObject({ reason: "full" });
  expect(lane.load()).toEqual({ running: 1, waiting: 0 });
  end();
  await first;
  await lane.run({ userId: "b" }, async () => {});
});

test("work beyond its time is told so, and keeps its slot until it ends", async () => {
  const lane = laneWith({ workSeconds: 0.02 });
  const { work, end } = openWork();
  let isTold = false;
  const run = lane.run({}, async (signal) => {
    signal.addEventListener("abort", () => {
      isTold = true;
    });
    await work();
  });
  await expect.poll(() => isTold).toBe(true);
  expect(lane.load().running).toBe(1);
  end();
  await run;
  expect(lane.load().running).toBe(0);
});
