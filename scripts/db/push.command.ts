import { runCommand } from "../lib/command";

await runCommand({
  name: "db:push",
  usage: "Always fails: the schema is changed by migrations only, in every environment.",
  async run() {
    throw new Error(
      "off in every environment, because it changes a database without a file that others can review and apply: edit prisma/schema.prisma, then npm run db:generate -- <name>, review the SQL, then npm run db:migrate",
    );
  },
});
