/** A person with an account at one of the providers. */
export interface Person {
  /** The provider's own id of the account. */
  id: number;
  login: string;
  name: string;
  email: string;
  verified: boolean;
}

/** Prepared people of the consent page. The same person has another id at each provider. */
export const PEOPLE: Person[] = [
  { id: 1001, login: "ada", name: "Ada Lovelace", email: "ada@example.com", verified: true },
  { id: 1002, login: "grace", name: "Grace Hopper", email: "grace@example.com", verified: true },
  { id: 1003, login: "mallory", name: "Mallory", email: "demo@example.com", verified: false },
];

/** Id of a person whose login was typed in: the same login is the same account. */
export function idOf(login: string): number {
  const known = PEOPLE.find((person) => person.login === login);
  if (known) return known.id;
  let id = 7;
  for (const character of login) id = (id * 31 + (character.codePointAt(0) ?? 0)) % 1_000_000_007;
  return 10_000 + id;
}
