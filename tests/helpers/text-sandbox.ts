import type { z } from "zod";
import type { faultOrderSchema } from "../../scripts/sandbox/text/faults";
import type { TextCalls } from "../../scripts/sandbox/text/switchboard";
import { startTextSandbox, type TextSandbox } from "../../scripts/sandbox/text/text-sandbox";
import { controlSandbox, openSandbox, type SandboxControl } from "./sandbox-control";

type Order = z.input<typeof faultOrderSchema>;
export type TextControl = SandboxControl<Order, TextCalls>;

export const createTextControl = controlSandbox<Order, TextCalls>;

export const openTextSandbox = (pieceMs = 0) =>
  openSandbox<TextSandbox, Order, TextCalls>(() => startTextSandbox({ port: 0, pieceMs }));
