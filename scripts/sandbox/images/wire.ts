import type { Request, Response } from "express";
import type { Fault, Provider } from "./faults";

/** Shows a connection fault, or calls `reply`. */
export function playOnWire(fault: Fault | null, response: Response, reply: () => void): void {
  switch (fault?.fault) {
    case "hang":
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "cut":
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": 1000 });
      response.write('{"', () => response.socket?.destroy());
      return;
    case "invalid_json":
      response.type("json").send('{"images": [{"url"');
      return;
    case "slow":
      setTimeout(reply, fault.delayMs);
      return;
    default:
      reply();
  }
}

/** The same at a provider that accepts a request and makes its result later: that is what is slow. */
export function playOnSubmit(fault: Fault | null, response: Response, reply: () => void): void {
  playOnWire(fault?.fault === "slow" ? null : fault, response, reply);
}

/** Sends the response to an accepted request, late if the fault says so. */
export function respondAfter(fault: Fault | null, respond: () => void): void {
  if (fault?.fault === "slow_submit") setTimeout(respond, fault.delayMs);
  else respond();
}

/** Returns a fault's HTTP status; null if it isn't one. */
export function statusOf(fault: Fault | null): number | null {
  return fault && /^\d{3}$/.test(fault.fault) ? Number(fault.fault) : null;
}

/** Returns the number of images for a call that requests `n`. */
export function countImages(n: number, fault: Fault | null): number {
  if (fault?.fault === "empty_list") return 0;
  if (fault?.fault === "partial") return n - 1;
  return fault?.fault === "surplus" ? n + 1 : n;
}

interface Picture {
  provider: Provider;
  seed: string;
  width: number;
  height: number;
  fault: Fault | null;
}

/** Returns a picture's URL. It holds all parameters of the picture, so it works after a restart. */
export function pictureUrl(request: Request, picture: Picture): string {
  const { provider, seed, width, height, fault } = picture;
  const query = fault?.fault.startsWith("image_") ? `?fault=${fault.fault}` : "";
  const host = `${request.protocol}://${request.get("host")}`;
  return `${host}/pictures/${provider}/${width}x${height}/${seed}.png${query}`;
}
