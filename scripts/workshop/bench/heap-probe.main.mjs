// Loaded into the measured server, and by Node into its threads. It tells the bench how much heap is in use after a
// collection. Not TypeScript: a thread of the server has nothing that compiles it.

process.on("message", () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
process.channel?.unref();
