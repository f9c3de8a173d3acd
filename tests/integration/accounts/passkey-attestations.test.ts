import { isoCBOR } from "@simplewebauthn/server/helpers";
import { expect, test } from "vitest";
import { createAuthenticator } from "../../helpers/authenticator";
import { startCatcher } from "../../helpers/catcher";
import { signUp } from "../../helpers/client";
import { PASSKEYS_PAGE, type Person, passkeyOptions } from "../../helpers/factors";
import {
  authenticatorDataOf,
  FORMATS,
  withAttestationObject,
  withHostileStatement,
} from "../../helpers/hostile-attestation";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer();

const passkeysOf = (email: string) =>
  app.sql("SELECT p.id FROM passkeys p JOIN users u ON u.id = p.user_id WHERE u.email = $1", [
    email,
  ]);

/** A new authenticator, and its response to options that the person has just asked for. */
async function responseOf(person: Person) {
  const { publicKey, register } = createAuthenticator(app.url);
  return { publicKey, reply: register(await passkeyOptions(person, "register")) };
}

test.each(FORMATS)(
  "a passkey with an attestation of format %s is added, and no address in it is asked",
  async (format) => {
    const { url, asked } = await startCatcher();
    const person = await signUp(app.url);
    const { reply, publicKey } = await responseOf(person);
    const response = await withHostileStatement(reply, {
      format,
      publicKey,
      crlUrl: `${url}/crl`,
    });
    const { status } = await person.post(PASSKEYS_PAGE, { response });
    expect(asked).toEqual([]);
    expect(status).toBe(303);
    expect(await passkeysOf(person.email)).toHaveLength(1);
  },
);

/** Deeper than any stack: each byte opens an array of one element. */
const nested = new Uint8Array(14_000).fill(0x81);

const mapOf = (authData: Parameters<typeof isoCBOR.encode>[0]) =>
  isoCBOR.encode(
    new Map<string, Parameters<typeof isoCBOR.encode>[0]>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]),
  );

test.each<[string, (authData: Uint8Array<ArrayBuffer>) => Uint8Array]>([
  ["that is a single break", () => new Uint8Array([0xff])],
  ["that is a number", () => isoCBOR.encode(1)],
  ["that is a text", () => isoCBOR.encode("authData")],
  ["that is null", () => isoCBOR.encode(null)],
  ["that is an array", (authData) => isoCBOR.encode(["authData", authData])],
  ["that claims 2^64 - 1 fields", () => new Uint8Array([0xbb, ...new Uint8Array(8).fill(0xff)])],
  ["of arrays in arrays", () => nested],
  ["without authData", () => isoCBOR.encode(new Map([["fmt", "none"]]))],
  ["whose authData is a text", () => mapOf("x".repeat(200))],
  ["whose authData is an array", (authData) => mapOf([...authData])],
  ["whose authData is a map", (authData) => mapOf(new Map([["byteLength", authData]]))],
  ["whose authData is a number", () => mapOf(200)],
  ["whose authData is null", () => mapOf(null)],
  ["whose authData is empty", () => mapOf(new Uint8Array())],
  ["whose authData ends early", (authData) => mapOf(authData.slice(0, 60))],
  ["whose authData goes on", (authData) => mapOf(new Uint8Array([...authData, 1]))],
  ["that ends early", (authData) => mapOf(authData).slice(0, -20)],
  // The key follows 71 bytes, of which the id has 16.
  ["whose key is arrays in arrays", (a) => mapOf(new Uint8Array([...a.slice(0, 71), ...nested]))],
])("an attestation object %s is refused with 400", async (_name, hostile) => {
  const person = await signUp(app.url);
  const { reply } = await responseOf(person);
  const response = withAttestationObject(reply, hostile(authenticatorDataOf(reply)));
  expect((await person.post(PASSKEYS_PAGE, { response })).status).toBe(400);
  expect(await passkeysOf(person.email)).toEqual([]);
});
