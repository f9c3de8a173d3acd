import { addThumbnailJobs } from "~/models/files/thumbnails-due.server";
import { runInBackground } from "~/server/background/background.server";

/** Has thumbnails made of the images of a run once it has ended. */
export function makeThumbnailsAfter(ended: Promise<unknown>, { userId }: { userId: string }): void {
  const addJobs = () =>
    runInBackground("thumbnails of a generation", () => addThumbnailJobs({ userId }));
  void ended.then(addJobs, () => undefined);
}
