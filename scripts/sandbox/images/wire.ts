import type { Request, Response } from "express";
import type { Fault, Provider } from "./faults";

/** Shows a fault of the connection, or goes on to the answer. */
export function playOnWire(fault: Fault | null, response: Response, answer: () => void): void {
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
      setTimeout(answer, fault.delayMs);
      return;
    default:
      answer();
  }
}

/** The HTTP status a fault stands for; null for any other fault. */
export function statusOf(fault: Fault | null): number | null {
  return fault && /^\d{3}$/.test(fault.fault) ? Number(fault.fault) : null;
}

/** How many images a call gets that asks for `n`. */
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

/** Where a picture is served; the address says all there is to know, so that it outlives a restart. */
export function pictureUrl(request: Request, picture: Picture): string {
  const { provider, seed, width, height, fault } = picture;
  const query = fault?.fault.startsWith("image_") ? `?fault=${fault.fault}` : "";
  const host = `${request.protocol}://${request.get("host")}`;
  return `${host}/pictures/${provider}/${width}x${height}/${seed}.png${query}`;
}
