import { getEnv, isLocalHost } from "~/env.server";
import { runCommand } from "../lib/command";
import { seedDemoUser } from "./seed";

await runCommand({
  name: "db:seed",
  usage: `Creates the demo account that "npm run dev" signs in with, unless it exists.
Refuses where the site is public, since the demo password is in the source.`,
  async run({ print }) {
    const { siteUrl } = getEnv();
    if (!isLocalHost(siteUrl.hostname)) {
      throw new Error(`${siteUrl.host} is a public site; a demo account would be open to anybody`);
    }
    const { email, password } = await seedDemoUser();
    print(`Demo sign-in: ${email} / ${password}`);
    return undefined;
  },
});
