/** The variables that a `.env.example` names, the commented ones included, in their order. */
export function namesInExample(text: string): string[] {
  return [...text.matchAll(/^(?:# ?)?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = ""]) => name);
}

/** Those of them that are to be filled in: not commented, and without a value. */
export function requiredInExample(text: string): string[] {
  return [...text.matchAll(/^([A-Z][A-Z0-9_]*)=$/gm)].map(([, name = ""]) => name);
}
