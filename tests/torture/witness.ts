import type { Person } from "./act/person";
import { addMade, type Made, NOTHING_MADE, readMade } from "./made";
import type { Mail, ProviderEvent } from "./world/stand-ins";
import type { Witness } from "./world/world";

/** Ids that a provider's event can share with another one. Prices are everybody's. */
const IDS =
  /"((?:cs_test|pi|pm|seti|ch|py|cus|sub|si|in|re|dp|ord|tran|chk|cust|disp|ref)_(?!sandbox)\w{6,}|[0-9a-f]{8}-[0-9a-f-]{27})"/g;
const isUserId = (id: string) => !id.includes("_");
const MARK = /torture-[0-9a-f-]{36}-\d+-\d+/g;
/** The id by which a provider of images knows a request from then on. */
const ACCEPTED = /^\{"(?:request_)?id":"([\w-]{20,})"/;

/** Keeps what the stand-ins saw, and whose it is. */
export interface Kept extends Witness {
  welcome(person: Person): void;
  /** Requests that a provider got for a run. */
  callsFor(mark: string): number;
  /** All that providers made for a run. */
  madeFor(mark: string): Made;
  mailsTo(address: string): Mail[];
  /** Events that name nobody who is known. */
  strangers: ProviderEvent[];
  /** Programs that ended by themselves. */
  deaths: string[];
}

export function createWitness(): Kept {
  const owners = new Map<string, Person>();
  const calls = new Map<string, number>();
  const made = new Map<string, Made>();
  /** Of requests that a provider has accepted, by its id. */
  const marks = new Map<string, string>();
  const mails = new Map<string, Mail[]>();
  const strangers: ProviderEvent[] = [];
  const deaths: string[] = [];
  const idsIn = (body: string) => [...body.matchAll(IDS)].map(([, id = ""]) => id);

  return {
    strangers,
    deaths,
    welcome: (person) => void owners.set(person.userId, person),
    callsFor: (mark) => calls.get(mark) ?? 0,
    madeFor: (mark) => made.get(mark) ?? NOTHING_MADE,
    mailsTo: (address) => mails.get(address) ?? [],
    onEvent(event) {
      const ids = idsIn(event.body);
      // A customer may be that of an account that was deleted, whose address is somebody's again.
      const surest = ids.toSorted((a, b) => Number(isUserId(b)) - Number(isUserId(a)));
      const owner = surest.map((id) => owners.get(id)).find((found) => found !== undefined);
      if (!owner) return void strangers.push(event);
      for (const id of ids) owners.set(id, owner);
      owner.fresh.push(event);
    },
    onMail(mail) {
      mails.set(mail.to, [...(mails.get(mail.to) ?? []), mail]);
    },
    exchanges: {
      onRequest({ asked }) {
        for (const mark of new Set(asked.match(MARK))) calls.set(mark, (calls.get(mark) ?? 0) + 1);
      },
      onReply({ path, asked }, replied) {
        const known = path.split("/").map((part) => marks.get(part));
        const mark = asked.match(MARK)?.[0] ?? known.find((found) => found !== undefined);
        if (mark === undefined) return;
        const id = ACCEPTED.exec(replied)?.[1];
        if (id) marks.set(id, mark);
        made.set(mark, addMade(made.get(mark) ?? NOTHING_MADE, readMade(replied)));
      },
    },
    onDeath: (name, code, signal) => void deaths.push(`${name} ended by itself: ${signal ?? code}`),
  };
}
