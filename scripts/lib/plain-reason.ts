import { serializeError } from "~/utils/serialize-error";

/**
 * Returns one line for an error at the start that the operator can fix; message and stack for any other. `portVariable`
 * has the port that the program listens on.
 */
export function plainReason(error: unknown, portVariable: string): string {
  const { stack, message } = serializeError(error);
  if (!(error instanceof Error)) return message;
  if (error.name === "ConfigurationError") return error.message;
  const { code, syscall, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRNOTAVAIL" || (code === "ENOTFOUND" && syscall === "getaddrinfo"))
    return "HOST is no address of this machine: unset it to listen on every address.";
  // A process that shares its port reports its parent's `bind`.
  if (syscall !== "listen" && syscall !== "bind") return stack ?? message;
  if (code === "EADDRINUSE") return `Port ${port} is taken: set ${portVariable} to another one.`;
  if (code === "EACCES")
    return `This user may not listen on port ${port}: set ${portVariable} above 1023.`;
  return error.message;
}
