import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A line of the watch. */
export interface WatchedEvent {
  kind: "watching" | "connect" | "open UDP" | "look up";
  process: number;
  /** 0 in the main thread. */
  thread: number;
  /** An address, a socket's path, or the name that is looked up. */
  host?: string;
  port?: number;
}

export interface SocketWatch {
  /** Gives the watch to a program of Node, with all its threads and child processes. */
  env: { NODE_OPTIONS: string; SOCKET_WATCH_FILE: string };
  /** Everything up to now, oldest first. */
  events(): WatchedEvent[];
}

/** Makes a watch over the sockets of programs that are started with its variables. */
export function watchSockets(atEnd: (end: () => void) => void = onTestFinished): SocketWatch {
  const folder = mkdtempSync(path.join(os.tmpdir(), "watched-sockets-"));
  atEnd(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "events.jsonl");
  writeFileSync(file, "");
  return {
    env: {
      NODE_OPTIONS: `--require=${path.resolve("tests/helpers/watch-sockets.cjs")}`,
      SOCKET_WATCH_FILE: file,
    },
    events: () =>
      readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as WatchedEvent),
  };
}
