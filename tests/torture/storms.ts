import { setTimeout as pause } from "node:timers/promises";
import type { Disaster, ROADS } from "./plan/operations";
import type { Weather } from "./world/proxy";
import type { World } from "./world/world";

/** After a fault of the machines has ended, answers that began before may still be lost. */
const ECHO_MS = 1_500;

/** A machine that gives this process no turn for so long gives the others none either: what they wait for may be given up. */
const STANDSTILL_MS = 2_000;
const LOOK_MS = 250;

/** A road that nobody takes is good again after so long. */
const MOST_SECONDS = 15;

/** Notes when the machine last stood still. */
function watchMachine(count: (kind: string) => void) {
  let lastEnd = Number.NEGATIVE_INFINITY;
  let lastLook = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - lastLook > STANDSTILL_MS) {
      lastEnd = now;
      count("the machine stood still");
    }
    lastLook = now;
  }, LOOK_MS);
  return { lastEnd: () => lastEnd, end: () => clearInterval(timer) };
}

/** Lets disasters happen, and knows whether one excuses a lost answer. */
export function createStorms(world: World, count: (kind: string, times?: number) => void) {
  const machine = watchMachine(count);
  let open = 0;
  let lastEnd = Number.NEGATIVE_INFINITY;
  const underWay: Promise<void>[] = [];

  async function happen(disaster: Disaster): Promise<void> {
    const [one, other] = world.servers;
    switch (disaster.do) {
      case "kill": {
        const target = { 0: one, 1: other, worker: world.worker }[disaster.target];
        return target.killAndReplace();
      }
      case "terminate":
        return void (await world.database.terminate(disaster.share));
      case "stop database":
        return world.database.interrupt(disaster.seconds * 1_000);
      case "weather":
        return changeWeather(disaster.road, disaster.weather, disaster);
      case "fill storage":
        return changeWeather("storage", "full", disaster);
    }
  }

  /** Lasts as long as it should, or until somebody has met it. */
  async function changeWeather(
    name: (typeof ROADS)[number],
    weather: Weather,
    { seconds }: { seconds: number },
  ): Promise<void> {
    const road = world.standIns.roads[name];
    const before = road.met();
    const began = performance.now();
    const hasLasted = (least: number) => performance.now() - began > least * 1_000;
    road.set(weather);
    while (!hasLasted(seconds) || (road.met() === before && !hasLasted(MOST_SECONDS)))
      await pause(LOOK_MS);
    road.set("fine");
    count(`${name} ${weather}: requests that met it`, road.met() - before);
  }

  return {
    begin(disaster: Disaster): void {
      open += 1;
      const name = disaster.do === "weather" ? `${disaster.road} ${disaster.weather}` : disaster.do;
      count(name);
      const done = happen(disaster).finally(() => {
        open -= 1;
        lastEnd = performance.now();
      });
      underWay.push(done);
      done.catch(() => undefined);
    },
    /** Whether something was broken at any moment since then, or the machine stood still. */
    isStormy: (since = performance.now()) =>
      open > 0 || since < Math.max(lastEnd, machine.lastEnd()) + ECHO_MS,
    /** Whether any has begun. */
    hadStorm: () => lastEnd > Number.NEGATIVE_INFINITY || open > 0,
    end: machine.end,
    /** Resolves when all have ended. Rejects if one couldn't happen. */
    async calm(): Promise<void> {
      await Promise.all(underWay.splice(0));
    },
  };
}

export type Storms = ReturnType<typeof createStorms>;
