// Loaded before everything else (`node --import`) in the servers, the worker, the commands and the run itself: they take
// the time from a file that says by how many milliseconds it was moved. SIGUSR2 has it read again.
import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const file = process.env.TORTURE_CLOCK;
const RealDate = Date;
const realNow = RealDate.now.bind(RealDate);
let moved = 0;

const read = () => {
  if (file) moved = Number(readFileSync(file, "utf8")) || 0;
};

/**
 * Moves this process's time by so many milliseconds in all.
 * @param {number} milliseconds
 */
export function moveClock(milliseconds) {
  moved = milliseconds;
}

const now = () => realNow() + moved;

const MovedDate = new Proxy(RealDate, {
  construct: (target, parts, made) =>
    Reflect.construct(target, parts.length > 0 ? parts : [now()], made),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
RealDate.prototype.constructor = MovedDate;
globalThis.Date = MovedDate;

read();
if (file && isMainThread) process.on("SIGUSR2", read);
