import { makeDueThumbnails } from "~/models/files/thumbnails.server";
import { createWorkers } from "~/server/workers.server";
import { getObjectStore } from "~/services/storage/s3-store.server";

/** Pictures that one worker looks after in a row; maintenance does the rest. */
const MAX_IN_A_ROW = 1000;

/**
 * Makes the thumbnails of pictures that were just stored. Woken once a picture is confirmed or a generation
 * is settled: pages show the original until then. One is enough, since its pictures share a lane.
 */
export const thumbnailWorkers = createWorkers({
  task: "thumbnails",
  atOnce: 1,
  async work(goOn) {
    const store = getObjectStore();
    if (store) await makeDueThumbnails({ store, limit: MAX_IN_A_ROW, goOn });
  },
});
