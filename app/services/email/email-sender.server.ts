/** One mail to one person: plain text, which every reader shows and no filter distrusts. */
export interface Email {
  to: string;
  subject: string;
  text: string;
}

export interface EmailSender {
  /** Hands the mail to the mail server; throws if that cannot be reached or refuses it. */
  send(email: Email): Promise<void>;
}
