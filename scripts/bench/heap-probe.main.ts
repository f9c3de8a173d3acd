// Loaded into the measured server. It tells the bench how much heap is in use after a collection.

process.on("message", () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
process.channel?.unref();
