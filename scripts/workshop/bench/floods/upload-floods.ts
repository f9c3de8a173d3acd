import { randomBytes } from "node:crypto";
import { once, setMaxListeners } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { encodePng } from "../../../sandbox/images/png";
import { ATTACKER, atOnce, type Flood } from "./flood";
import { askForUpload, signUpFrom, storePicture, type Visitor } from "./visitor";

/** Sign-ups that one network may make in an hour. */
const ACCOUNTS = 10;
const PICTURES = 4;

/** Random pixels: almost the 10 MB that a file may have. */
const heavyPicture = () => encodePng(1_850, 1_880, randomBytes(1_850 * 1_880 * 3));
/** Few bytes that decode to the most pixels a thumbnail is made of. */
const widePicture = () => encodePng(7_000, 7_000, new Uint8Array(7_000 * 7_000 * 3));

const signUpAll = (siteUrl: string, count = ACCOUNTS) =>
  Promise.all(Array.from({ length: count }, () => signUpFrom(siteUrl, ATTACKER)));

const confirm = async (visitor: Visitor, fileId: string | undefined) =>
  (await visitor.json("/api/storage/confirm", { fileId })).status;

/** Confirms each of the pictures in turn, `AT_ONCE` times at once. */
function confirmsOf(content: () => Uint8Array): Flood["prepare"] {
  return async (siteUrl) => {
    const picture = content();
    const stored: { visitor: Visitor; fileId: string }[] = [];
    for (const visitor of await signUpAll(siteUrl))
      for (let index = 0; index < PICTURES; index += 1)
        stored.push({ visitor, fileId: await storePicture(visitor, picture) });
    let turn = 0;
    return () => {
      const first = stored[turn % stored.length];
      const each = turn === 0 ? stored : [first ?? stored[0]];
      turn += 1;
      return atOnce(200, (index) => {
        const one = each[index % each.length];
        return one ? confirm(one.visitor, one.fileId) : Promise.resolve(0);
      });
    };
  };
}

export const uploadFloods: Record<string, Flood> = {
  confirms: {
    what: "200 confirms at once of 40 pictures of 10 MB, then of one after the other (S2)",
    prepare: confirmsOf(heavyPicture),
  },
  pixels: {
    what: "the same of pictures with 49 megapixels",
    prepare: confirmsOf(widePicture),
  },
  absent: {
    what: "300 confirms at once of objects that were never stored (S2)",
    async prepare(siteUrl) {
      const [visitor] = await signUpAll(siteUrl, 1);
      if (!visitor) throw new Error("no account");
      const ids = await Promise.all(
        Array.from({ length: 20 }, async () => (await askForUpload(visitor, 1_000)).fileId),
      );
      return () => atOnce(300, (index) => confirm(visitor, ids[index % ids.length]));
    },
  },
  held: {
    what: "20 forms of 10 accounts that send 200 bytes of 9 MB and then nothing (S5)",
    neighbours: "form",
    async prepare(siteUrl) {
      const visitors = await signUpAll(siteUrl);
      return (signal) => {
        setMaxListeners(0, signal);
        return atOnce(20, (index) => holdForm(siteUrl, visitors[index % visitors.length], signal));
      };
    },
  },
};

/** Opens an upload form, sends its beginning, and waits until the server ends it. */
async function holdForm(siteUrl: string, visitor: Visitor | undefined, signal: AbortSignal) {
  const { hostname, port, host } = new URL(siteUrl);
  const socket = connect({ host: hostname, port: Number(port), signal });
  socket.on("error", () => undefined);
  let response = "";
  socket.on("data", (chunk) => {
    response += chunk.toString("latin1");
  });
  socket.write(
    `POST /en/files HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${ATTACKER}\r\n` +
      `Cookie: ${visitor?.cookie()}\r\nContent-Type: multipart/form-data; boundary=x\r\n` +
      `Content-Length: 9000000\r\n\r\n--x\r\nContent-Disposition: form-data; name="file"; ` +
      `filename="a.png"\r\nContent-Type: image/png\r\n\r\n${"a".repeat(100)}`,
  );
  await once(socket, "close");
  // A refusal comes at once: the next wave must not become a loop without a pause.
  await wait(100);
  return Number(/^HTTP\/1.1 (\d+)/.exec(response)?.[1] ?? 0);
}
