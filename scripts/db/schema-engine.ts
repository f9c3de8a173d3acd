import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import type { DiffTarget } from "@prisma/schema-engine-wasm";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

interface SchemaDiff {
  /** A Prisma schema; null is an empty database. */
  from: string | null;
  to: string;
}

/**
 * Returns the SQL that leads from one schema to another, or null if the databases would be equal (the
 * generator, comments and the client's names don't count). Throws the engine's message for an invalid
 * schema. The engine requires a connection; it reads and changes nothing there.
 */
export async function diffSchemas(databaseUrl: string, diff: SchemaDiff): Promise<string | null> {
  await loadEngine();
  const pool = new pg.Pool({ connectionString: databaseUrl });
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool));
  try {
    const engine = await bindings.SchemaEngine.new(
      { datamodels: [["schema.prisma", diff.to]] },
      () => undefined,
      adapter,
    );
    const { exitCode, stdout } = await engine.diff({
      from: diff.from === null ? { tag: "empty" } : datamodel(diff.from),
      to: datamodel(diff.to),
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    engine.free();
    const DIFFERENT = 2;
    return exitCode === DIFFERENT ? stdout : null;
  } finally {
    await pool.end();
  }
}

const datamodel = (content: string): DiffTarget => ({
  tag: "schemaDatamodel",
  files: [{ path: "schema.prisma", content }],
});

let loading: Promise<void> | undefined;

/** Does what the package's own entry does by importing WebAssembly, for which Node 22 needs an option. */
function loadEngine(): Promise<void> {
  loading ??= (async () => {
    const require = createRequire(import.meta.url);
    const entry = require.resolve("@prisma/schema-engine-wasm/schema_engine_bg");
    const binary = await readFile(entry.replace(/\.js$/, ".wasm"));
    const { instance } = await WebAssembly.instantiate(binary, {
      "./schema_engine_bg.js": bindings as unknown as WebAssembly.ModuleImports,
    });
    const exports = instance.exports as { __wbindgen_start(): void } & WebAssembly.Exports;
    const glue = bindings as unknown as { __wbg_set_wasm(exports: WebAssembly.Exports): void };
    glue.__wbg_set_wasm(exports);
    exports.__wbindgen_start();
  })();
  return loading;
}
