/** One email to one person, as HTML and, for programs and people who prefer it, as the same in plain text. */
export interface Email {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The same at each attempt, so that mail programs show an email that was sent twice once. */
  messageId: string;
  /** Address where a POST turns off emails of this kind (RFC 8058); null for emails that always come. */
  unsubscribeUrl: string | null;
}

export interface EmailSender {
  /** Hands the email to the mail server. @throws EmailFailure */
  send(email: Email): Promise<void>;
}

/**
 * `refused`: the server doesn't take this email, and says that this will not change. `deferred`: it doesn't
 * take this email now. `unreachable`: it takes no email at all now.
 */
export type FailureKind = "refused" | "deferred" | "unreachable";

/** The mail server didn't take an email. The message holds no address. */
export class EmailFailure extends Error {
  override readonly name = "EmailFailure";
  readonly kind: FailureKind;

  constructor(kind: FailureKind, facts: string) {
    super(`the mail was not taken: ${facts}`);
    this.kind = kind;
  }
}
