/** One email to one person, in plain text: every mail client shows it, and spam filters trust it. */
export interface Email {
  to: string;
  subject: string;
  text: string;
}

export interface EmailSender {
  /** Hands the email to the mail server. Throws if the server cannot be reached or refuses it. */
  send(email: Email): Promise<void>;
}
