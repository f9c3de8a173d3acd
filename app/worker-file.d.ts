/** The URL of a worker's file; scripts/lib/worker-files.ts provides it. */
declare module "*.worker.mjs?file" {
  const url: string;
  export default url;
}
