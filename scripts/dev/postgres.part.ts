import { startPostgres } from "../lib/embedded-postgres";
import { POSTGRES_DIR } from "./local-env";
import { runPart } from "./part";

const DATABASE = "app";

await runPart(async () => {
  const server = await startPostgres({
    dataDir: POSTGRES_DIR,
    preferredPort: 54_329,
    onExit: () => {
      console.error("PostgreSQL ended by itself");
      process.exit(1);
    },
  });
  try {
    await server.createDatabase(DATABASE);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { facts: { databaseUrl: server.url(DATABASE) }, stop: server.stop };
});
