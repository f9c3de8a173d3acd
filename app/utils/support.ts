/** Where people reach whoever runs this service; null for what isn't set. */
export interface Support {
  email: string | null;
  /** A page for help. */
  url: string | null;
}

/** Returns the address of a link that reaches somebody; null where nobody can be reached. */
export function supportLink({ email, url }: Support, subject?: string): string | null {
  if (!email) return url;
  return `mailto:${email}${subject ? `?subject=${encodeURIComponent(subject)}` : ""}`;
}
