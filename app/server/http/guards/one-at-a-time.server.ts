import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/**
 * Handles the requests of one connection one after another. Node starts all requests that arrive
 * together: a single packet can hold a thousand, and other visitors would wait until the last page
 * is rendered. The event loop takes a turn between two requests. A connection with more than
 * `limit` waiting requests is cut.
 */
export function oneAtATime(listener: RequestListener, limit: number): RequestListener {
  const queues = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const handle = () => {
      response.once("close", () => setImmediate(handleNext, socket));
      listener(request, response);
    };
    const queue = queues.get(socket);
    if (!queue) {
      queues.set(socket, []);
      handle();
    } else if (queue.push(handle) > limit) {
      queue.length = 0;
      socket.destroy();
    }
  };

  function handleNext(socket: Socket): void {
    const next = queues.get(socket)?.shift();
    if (!next || socket.destroyed) queues.delete(socket);
    else next();
  }
}
