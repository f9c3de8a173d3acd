import type { Person } from "./client";

/** Opens the preview of a plan, and returns the page and the fields of its form. */
export async function previewPlan(person: Person, path: string, plan: string, period: string) {
  const html = await (await person.fetch(`${path}&plan=${plan}&period=${period}`)).text();
  const fields = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const form = Object.fromEntries(fields.map(([, name, value]) => [name ?? "", value ?? ""]));
  return { html, form: { ...form, intent: "change" } };
}
