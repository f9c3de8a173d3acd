import { withBareApp } from "./bare-app";
import { type Bench, inTurns } from "./bench";
import { startOurs } from "./our-server";
import type { ServingProcess } from "./serving-process";

const ROUNDS = 5;

/** Compares the time from the start of the process to the first successful response. */
export const startBench: Bench = {
  summary: "`npm start` until it is ready, compared with a bare Remix server",
  run: ({ server, onProgress }) =>
    withBareApp(async (bareApp) => {
      const url = await server.createDatabase();
      const time = (start: () => Promise<ServingProcess>) => async () => {
        const serving = await start();
        await serving.stop();
        return serving.readyAfter;
      };
      onProgress("starting and stopping both servers");
      const times = await inTurns({
        rounds: ROUNDS,
        measure: time(() => startOurs(url)),
        reference: time(() => bareApp.start(url)),
      });
      return [
        {
          what: "start until ready",
          against: "a bare Remix server",
          unit: "ms",
          goal: { atMost: 2 },
          ...times,
        },
      ];
    }),
};
