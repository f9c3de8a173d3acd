import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Increase it when the shape of a sandbox's state changes, and let the providers' `upgrade` take the shape
 * before. Older files are ignored.
 */
const VERSION = 5;

export interface SavedState<T> {
  readonly data: T;
  /** Writes the state to its file, if it has one. */
  save(): void;
}

/**
 * Opens a sandbox's state: in memory, and in `file` if given, so that the customers and subscriptions in
 * the app's database survive a restart. `upgrade` makes today's state of one that the version before saved.
 */
export function openState<T extends object>(
  file: string | undefined,
  empty: T,
  upgrade: (saved: unknown) => Partial<T>,
): SavedState<T> {
  const data = { ...empty, ...(file ? readState(file, upgrade) : {}) };
  return {
    data,
    save() {
      if (!file) return;
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ version: VERSION, data }), { mode: 0o600 });
    },
  };
}

function readState<T>(file: string, upgrade: (saved: unknown) => Partial<T>): Partial<T> {
  try {
    const saved = JSON.parse(readFileSync(file, "utf8")) as { version: number; data: Partial<T> };
    if (saved.version === VERSION - 1) return upgrade(saved.data);
    return saved.version === VERSION ? saved.data : {};
  } catch {
    return {};
  }
}

/** @throws Error if nothing is stored under the id */
export function requireStored<T>(records: Record<string, T>, id: string | null): T {
  const record = id === null ? undefined : records[id];
  if (!record) throw new Error(`nothing is stored under ${id}`);
  return record;
}
