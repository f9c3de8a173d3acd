import { setTimeout as pause } from "node:timers/promises";
import type { Disaster } from "./plan/operations";
import type { Road, Weather } from "./world/proxy";
import type { World } from "./world/world";

/** After a fault of the machines has ended, answers that began before may still be lost. */
const ECHO_MS = 1_500;

/** A machine that gives this process no turn for so long gives the others none either: what they wait for may be given up. */
const STANDSTILL_MS = 2_000;
const LOOK_MS = 250;

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
export function createStorms(world: World, count: (kind: string) => void) {
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
        return changeWeather(world.standIns.roads[disaster.road], disaster.weather, disaster);
      case "fill storage":
        return changeWeather(world.standIns.roads.storage, "full", disaster);
    }
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

async function changeWeather(
  road: Road,
  weather: Weather,
  { seconds }: { seconds: number },
): Promise<void> {
  road.set(weather);
  await pause(seconds * 1_000);
  road.set("fine");
}

export type Storms = ReturnType<typeof createStorms>;
