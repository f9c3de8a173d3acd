export interface Instruction {
  name: string;
  /** Flags such as `--from=build`. */
  flags: Record<string, string>;
  /** The text after the flags, as written. */
  text: string;
}

export interface Stage {
  /** The stage's base: an image, or an earlier stage. */
  from: string;
  name: string | null;
  instructions: Instruction[];
}

/**
 * Returns the stages of a Dockerfile, without comments and with continued lines joined. Not a
 * complete parser: no heredocs.
 */
export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .split("\n")
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join("\n")
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n");
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name.toUpperCase() === "FROM") {
      const [, from = "", alias] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
      stages.push({ from, name: alias ?? null, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (!stage) throw new Error(`${name} stands before the first FROM`);
    stage.instructions.push({ name: name.toUpperCase(), ...splitFlags(rest) });
  }
  return stages;
}

function splitFlags(rest: string) {
  const [start = ""] = /^(--\S+\s+)*/.exec(rest) ?? [];
  const pairs = start
    .split(/\s+/)
    .filter(Boolean)
    .map((flag) => flag.slice(2).split("=", 2));
  return { flags: Object.fromEntries(pairs), text: rest.slice(start.length) };
}

/**
 * Returns whether `.dockerignore` excludes a path from the build: the last matching pattern
 * decides.
 */
export function ignoredBy(dockerignore: string): (file: string) => boolean {
  const rules = dockerignore
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => ({
      keeps: line.startsWith("!"),
      pattern: toPattern(line.replace(/^!/, "").replace(/^\/|\/$/g, "")),
    }));
  return (file) => {
    const last = rules.findLast(({ pattern }) => pattern.test(file));
    return last !== undefined && !last.keeps;
  };
}

/** A pattern also excludes everything below a folder that it matches. */
function toPattern(glob: string): RegExp {
  const source = glob
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\*\*\/|\*|\?/g, (part) =>
      part === "**/" ? "(?:.*/)?" : part === "*" ? "[^/]*" : "[^/]",
    );
  return new RegExp(`^${source}(?:/.*)?$`);
}
