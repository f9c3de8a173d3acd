import { addThumbnailJobs } from "~/models/files/thumbnails-due.server";
import { runInBackground } from "~/server/background/background.server";
import { getObjectStore } from "~/services/storage/s3-store.server";

/** Has thumbnails made of the images of a run once it has ended, if images are stored. */
export function makeThumbnailsAfter(ended: Promise<unknown>, { userId }: { userId: string }): void {
  if (!getObjectStore()) return;
  const addJobs = () =>
    runInBackground("thumbnails of a generation", () => addThumbnailJobs({ userId }));
  void ended.then(addJobs, () => undefined);
}
