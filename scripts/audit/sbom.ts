import { z } from "zod";

const bomSchema = z.object({
  bomFormat: z.literal("CycloneDX"),
  components: z.array(z.object({ purl: z.string().startsWith("pkg:npm/") })),
});

const lockfileSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      /** Set if a package is installed under another name. */
      name: z.string().optional(),
      version: z.string().optional(),
      link: z.boolean().optional(),
    }),
  ),
});

/** Returns packages of the lockfile that are missing in a CycloneDX document, like `left-pad@1.3.0`. */
export function listMissingComponents(bom: unknown, lockfile: unknown): string[] {
  const { components } = bomSchema.parse(bom);
  const listed = new Set(
    components.map(({ purl }) => decodeURIComponent(purl.slice("pkg:npm/".length))),
  );
  return listPackages(lockfile).filter((name) => !listed.has(name));
}

/** Returns every package of the lockfile once, by the name it was published under. */
export function listPackages(lockfile: unknown): string[] {
  const { packages } = lockfileSchema.parse(lockfile);
  const names = Object.entries(packages).flatMap(([folder, { name, version, link }]) =>
    folder === "" || link ? [] : `${name ?? folder.replace(/^.*node_modules\//, "")}@${version}`,
  );
  return [...new Set(names)];
}
