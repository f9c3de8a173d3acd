// Loaded with `node --require` into a server under test, its worker threads and its child processes: writes
// down each address that any of them connects to, and each name that it looks up, below all of Node's
// modules for it. Native code could pass it, and none here connects to anything.
const { createHook } = require("node:async_hooks");
const { appendFileSync } = require("node:fs");
const { threadId } = require("node:worker_threads");

/** @type {Record<string, string>} */
const KINDS = {
  TCPCONNECTWRAP: "connect",
  PIPECONNECTWRAP: "connect",
  // A packet that UDP sends at once makes no request here, so its socket is watched.
  UDPWRAP: "open UDP",
  GETADDRINFOREQWRAP: "look up",
  GETNAMEINFOREQWRAP: "look up",
  QUERYWRAP: "look up",
};

/** @param {object} event */
function write(event) {
  const line = JSON.stringify({ process: process.pid, thread: threadId, ...event });
  appendFileSync(process.env.SOCKET_WATCH_FILE ?? "", `${line}\n`);
}

write({ kind: "watching" });
createHook({
  /** @param {{ address?: string, hostname?: string, host?: string, port?: number }} request */
  init(_id, type, _trigger, request) {
    const kind = KINDS[type];
    if (!kind) return;
    // Node writes the address onto the request once that is made.
    queueMicrotask(() => {
      const { address, hostname, host, port } = request;
      write({ kind, host: address ?? hostname ?? host, port });
    });
  },
}).enable();
