import "reflect-metadata";
import { createHash, type KeyObject, randomBytes, webcrypto } from "node:crypto";
import {
  AuthorityInfoAccessExtension,
  CRLDistributionPointsExtension,
  Extension,
  GeneralName,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { verifyRegistrationResponse } from "@simplewebauthn/server";
import { decodeAttestationObject, isoCBOR } from "@simplewebauthn/server/helpers";
import { createAuthenticator } from "./authenticator";

type Cbor = Parameters<typeof isoCBOR.encode>[0];

/** Every format of an attestation but `none`. */
export const FORMATS = [
  "packed",
  "fido-u2f",
  "android-safetynet",
  "android-key",
  "tpm",
  "apple",
] as const;
type Format = (typeof FORMATS)[number];

/** The extension in which Android says for which request a key was made. */
const ANDROID_KEY_DESCRIPTION = "1.3.6.1.4.1.11129.2.1.17";

const bytes = (data: Uint8Array) => new Uint8Array(data);
const fromBase64url = (text: string) => bytes(Buffer.from(text, "base64url"));

/** Fields of an authenticator's response to registration options. */
interface Response {
  response: { clientDataJSON: string; attestationObject: string };
}

/** The response with these bytes as its attestation object. */
export function withAttestationObject(reply: string, object: Uint8Array): string {
  const parsed = JSON.parse(reply) as Response;
  parsed.response.attestationObject = Buffer.from(object).toString("base64url");
  return JSON.stringify(parsed);
}

/** The authenticator's data in a response. */
export function authenticatorDataOf(reply: string): Uint8Array<ArrayBuffer> {
  const { response } = JSON.parse(reply) as Response;
  return bytes(decodeAttestationObject(fromBase64url(response.attestationObject)).get("authData"));
}

/**
 * The response with a statement of this format, whose certificates ask their reader to fetch `crlUrl`, and
 * the same with `-ocsp` and `-issuer` at its end.
 */
export async function withHostileStatement(
  reply: string,
  options: { format: Format; publicKey: KeyObject; crlUrl: string },
): Promise<string> {
  const { response } = JSON.parse(reply) as Response;
  const clientDataHash = createHash("sha256")
    .update(fromBase64url(response.clientDataJSON))
    .digest();
  const chain = await hostileChain({ ...options, clientDataHash });
  const object = new Map<string, Cbor>([
    ["fmt", options.format],
    ["attStmt", statementOf(options.format, chain)],
    ["authData", authenticatorDataOf(reply)],
  ]);
  return withAttestationObject(reply, isoCBOR.encode(object));
}

/** Has the library itself verify such a statement, past our code. It refuses it. */
export async function verifyByLibrary(crlUrl: string): Promise<void> {
  const expectedOrigin = "http://localhost:3000";
  const expectedChallenge = "AAAA";
  const { publicKey, register } = createAuthenticator(expectedOrigin);
  const plain = register({ challenge: expectedChallenge, user: { id: "AAAA" } });
  const reply = await withHostileStatement(plain, { format: "android-key", publicKey, crlUrl });
  const verified = verifyRegistrationResponse({
    response: JSON.parse(reply),
    expectedChallenge,
    expectedOrigin,
    expectedRPID: "localhost",
  });
  await verified.then(
    () => Promise.reject(new Error("the library accepted the attacker's root")),
    () => {},
  );
}

/**
 * A certificate of the passkey's own key and the root that signed it, both of the attacker. They are
 * good enough for Android's format: a reader asks for lists of revoked certificates before it finds that it
 * does not know the root.
 */
async function hostileChain({
  publicKey,
  crlUrl,
  clientDataHash,
}: {
  publicKey: KeyObject;
  crlUrl: string;
  clientDataHash: Buffer;
}): Promise<Uint8Array<ArrayBuffer>[]> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, false, ["sign", "verify"]);
  const name = "CN=A root of the attacker's own";
  const addresses = [
    new CRLDistributionPointsExtension([crlUrl]),
    new AuthorityInfoAccessExtension({
      ocsp: new GeneralName("url", `${crlUrl}-ocsp`),
      caIssuers: new GeneralName("url", `${crlUrl}-issuer`),
    }),
  ];
  const root = await X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    extensions: addresses,
  });
  const leaf = await X509CertificateGenerator.create({
    subject: "CN=attest.android.com, OU=Authenticator Attestation, O=Attacker, C=US",
    issuer: name,
    publicKey: publicKey.export({ type: "spki", format: "der" }),
    signingKey: keys.privateKey,
    extensions: [
      ...addresses,
      new Extension(ANDROID_KEY_DESCRIPTION, false, keyDescription(clientDataHash)),
    ],
  });
  return [leaf, root].map(({ rawData }) => new Uint8Array(rawData));
}

/** DER of Android's `KeyDescription`: versions and levels, the request, no id, two empty lists. */
function keyDescription(clientDataHash: Buffer): Uint8Array<ArrayBuffer> {
  const hex = `30340201030a01010201040a01010420${clientDataHash.toString("hex")}040030003000`;
  return bytes(Buffer.from(hex, "hex"));
}

function statementOf(format: Format, chain: Uint8Array<ArrayBuffer>[]): Map<string, Cbor> {
  const sig = bytes(randomBytes(70));
  const fields: Record<Format, Record<string, Cbor>> = {
    packed: { alg: -7, sig, x5c: chain },
    "fido-u2f": { sig, x5c: chain },
    "android-safetynet": { ver: "1", response: bytes(Buffer.from(signedResponse(chain))) },
    "android-key": { alg: -7, sig, x5c: chain },
    tpm: { ver: "2.0", alg: -7, sig, x5c: chain, certInfo: sig, pubArea: sig },
    apple: { x5c: chain },
  };
  return new Map(Object.entries(fields[format]));
}

/** Android SafetyNet's response: a JSON web token, with the certificates in its head. */
function signedResponse(chain: Uint8Array[]): string {
  const head = { alg: "ES256", x5c: chain.map((der) => Buffer.from(der).toString("base64")) };
  const payload = { ctsProfileMatch: true, timestampMs: Date.now() };
  const parts = [head, payload].map((part) => Buffer.from(JSON.stringify(part)));
  return [...parts, randomBytes(64)].map((part) => part.toString("base64url")).join(".");
}
