import { startPostgres } from "../lib/embedded-postgres";
import { runPart } from "./part";

const DATABASE = "app";

await runPart(async () => {
  const server = await startPostgres({
    dataDir: ".data/postgres",
    preferredPort: 54_329,
    onExit: () => {
      console.error("PostgreSQL ended by itself");
      process.exit(1);
    },
  });
  await server.createDatabase(DATABASE);
  return { facts: { databaseUrl: server.url(DATABASE) }, stop: server.stop };
});
