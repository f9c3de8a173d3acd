import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
const base64url = (data: Uint8Array) => Buffer.from(data).toString("base64url");

/** The parts of a response that an attacker can change. */
export interface Twist {
  challenge?: string;
  origin?: string;
  rpId?: string;
  type?: string;
  counter?: number;
  /** False: the device didn't check its person. */
  verified?: boolean;
  userHandle?: string;
  credentialId?: string;
}

/** An authenticator in software, which also gives the responses that a browser never would. */
export interface Authenticator {
  publicKey: KeyObject;
  /** The response to registration options, as the form's `response`. */
  register(options: { challenge: string; user: { id: string } }, twist?: Twist): string;
  /** The response to a request for a signature. */
  sign(options: { challenge: string }, twist?: Twist): string;
}

/** Makes an authenticator with one ES256 key. Its counter grows by one for each signature. */
export function createAuthenticator(siteUrl: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ownId = randomBytes(16);
  let counter = 0;
  let userHandle = "";

  const clientData = (type: string, challenge: string, twist: Twist) =>
    Buffer.from(
      JSON.stringify({
        type: twist.type ?? type,
        challenge: twist.challenge ?? challenge,
        origin: twist.origin ?? new URL(siteUrl).origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (twist: Twist, flags: number, more = Buffer.alloc(0)) => {
    counter = twist.counter ?? counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const verified = twist.verified === false ? 0 : 0x04;
    return Buffer.concat([
      sha256(twist.rpId ?? new URL(siteUrl).hostname),
      Buffer.from([0x01 | verified | flags]),
      count,
      more,
    ]);
  };

  return {
    publicKey,
    register({ challenge, user }, twist = {}) {
      userHandle = user.id;
      const key = coseKey(publicKey);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(ownId.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, ownId, key]);
      const authData = new Uint8Array(authenticatorData(twist, 0x40, attested));
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]);
      return JSON.stringify({
        id: base64url(ownId),
        rawId: base64url(ownId),
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData("webauthn.create", challenge, twist)),
          attestationObject: base64url(
            isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0]),
          ),
          transports: ["internal"],
        },
      });
    },
    sign({ challenge }, twist = {}) {
      const data = clientData("webauthn.get", challenge, twist);
      const authData = authenticatorData(twist, 0);
      const signature = createSign("SHA256")
        .update(Buffer.concat([authData, sha256(data)]))
        .sign(privateKey);
      const id = twist.credentialId ?? base64url(ownId);
      return JSON.stringify({
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(signature),
          userHandle: twist.userHandle ?? userHandle,
        },
      });
    },
  };
}

/** The public key as authenticators write it: COSE, EC2, ES256, P-256. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const coordinate = (value: string) => new Uint8Array(Buffer.from(value, "base64url"));
  const key = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, coordinate(x)],
    [-3, coordinate(y)],
  ]);
  return Buffer.from(isoCBOR.encode(key as Parameters<typeof isoCBOR.encode>[0]));
}
