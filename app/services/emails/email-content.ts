/** The content of an email. Its HTML and its plain text are both made from this. */
export interface EmailContent {
  subject: string;
  heading: string;
  /** The number that matters most, above the heading: `+500`. */
  figure?: string;
  /** The first text is also the preview that mail programs show beside the subject. */
  blocks: EmailBlock[];
  /** Why the person gets this email. */
  reason: string;
}

export type EmailBlock =
  | { type: "text"; text: string }
  /** The one action of the email. */
  | { type: "button"; label: string; url: string }
  | { type: "link"; label: string; url: string }
  | { type: "facts"; title?: string; rows: [label: string, value: string][] };

/** The texts of the frame around the content. */
export interface EmailFrame {
  /** The email's language: `en`. */
  lang: string;
  product: string;
  siteUrl: string;
  /** Stands above the button's address as text. */
  linkHint: string;
  /** The page where emails of this kind can be turned off; null if they always come. */
  turnOff: { label: string; url: string } | null;
  /** Where somebody can be reached; null where nobody can. */
  support: { label: string; url: string } | null;
}
