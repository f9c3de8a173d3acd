import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import { generateClient, isClientCurrent } from "../generate-client.mjs";
import { runCommand } from "../lib/command";
import { startPostgres } from "../lib/embedded-postgres";
import { generateMigration, requireMigrationName } from "./generate-migration";
import { describeFindings } from "./lint/finding";
import { lintMigrations } from "./lint/lint-migrations";
import { readMigrations } from "./migrations-folder";

await runCommand({
  name: "db:generate",
  usage: `Writes the next migration from the changes in prisma/schema.prisma since the last one, updates the
snapshot, and renews the TypeScript client. Writes no file when nothing changed. Needs no database.`,
  positionals: ["name"],
  options: {
    schema: { type: "string", value: "path", default: "prisma/schema.prisma", help: "the schema" },
    folder: { type: "string", value: "path", default: "prisma/migrations", help: "the .sql files" },
  },
  async run({ values, positionals: [name = ""], print }) {
    requireMigrationName(name);
    print("comparing the schema with its snapshot");
    const postgres = await startPostgres({
      dataDir: path.join(tmpdir(), `db-generate-${randomUUID()}`),
      ephemeral: true,
    });
    try {
      const result = await generateMigration({
        name,
        schemaFile: values.schema,
        folder: values.folder,
        databaseUrl: postgres.url("postgres"),
      });
      if (!isClientCurrent()) {
        generateClient();
        print("renewed the TypeScript client");
      }
      if (result.status === "unchanged") {
        print("nothing to generate: the database would not change");
        return 0;
      }
      print(
        `wrote ${result.file}: review it, record it with npm run starter:check -- --write, then npm run db:migrate`,
      );
      if (result.drops) print("it contains a DROP: for a rename, write the RENAME by hand");
      for (const line of await warnings(values.folder, path.basename(result.file))) print(line);
      return 0;
    } finally {
      await postgres.stop();
    }
  },
});

async function warnings(folder: string, name: string): Promise<string[]> {
  const files = (await readMigrations(folder)).filter((file) => file.name === name);
  const findings = lintMigrations({ folder }, files);
  return describeFindings(folder, findings).map((line) => `warning: ${line}`);
}
