import { runCommand } from "../lib/command";
import { seedDemoUser } from "./seed";

await runCommand({
  name: "db:seed",
  usage: `Creates the demo account that "npm run dev" signs in with, with credits, runs and an API key,
unless it has them.
Refuses if the site is public or the database is on another machine, because the demo password is
in the source.`,
  async run({ print }) {
    const demo = await seedDemoUser();
    if (demo.status === "refused") throw new Error(demo.reason);
    print(`Demo sign-in: ${demo.email} / ${demo.password}`);
    return undefined;
  },
});
