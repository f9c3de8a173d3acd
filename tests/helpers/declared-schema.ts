import { describeSchema } from "../../scripts/db/catalog";
import { withConnection } from "../../scripts/db/connect";

/** Returns the part of a database's schema that schema.prisma can express, as sorted lines. */
export const describeDeclared = (databaseUrl: string): Promise<string[]> =>
  withConnection(databaseUrl, (client) => describeSchema(client, { declaredOnly: true }));
