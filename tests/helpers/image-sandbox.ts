import type { z } from "zod";
import type { faultOrderSchema } from "../../scripts/sandbox/images/faults";
import { type ImageSandbox, startImageSandbox } from "../../scripts/sandbox/images/image-sandbox";
import type { Calls } from "../../scripts/sandbox/images/switchboard";
import { controlSandbox, openSandbox, type SandboxControl } from "./sandbox-control";

type Order = z.input<typeof faultOrderSchema>;
export type ImageControl = SandboxControl<Order, Calls>;

export const createImageControl = controlSandbox<Order, Calls>;

export const openImageSandbox = () =>
  openSandbox<ImageSandbox, Order, Calls>(() => startImageSandbox({ port: 0 }));
