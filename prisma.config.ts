import { defineConfig } from "prisma/config";

// Only `prisma generate` reads this. Migrations are our own runner's (scripts/db), so no URL is here.
export default defineConfig({ schema: "prisma/schema.prisma" });
