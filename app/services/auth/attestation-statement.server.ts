import { decodeAttestationObject, isoCBOR } from "@simplewebauthn/server/helpers";
import type { Attestation } from "~/services/auth/passkey-response";

/**
 * The same response with an attestation of format `none`; null if its object is malformed. Browsers are
 * asked for no statement, but authenticators may send one, and it says nothing that is needed here. The
 * library would verify it, and ask every address in an attacker's certificates for revoked ones.
 */
export function withoutStatement(attestation: Attestation): Attestation | null {
  try {
    const sent = new Uint8Array(Buffer.from(attestation.response.attestationObject, "base64url"));
    const authData: unknown = decodeAttestationObject(sent).get("authData");
    if (!(authData instanceof Uint8Array)) return null;
    const bare = new Map<string, string | Map<string, string> | Uint8Array<ArrayBuffer>>()
      .set("fmt", "none")
      .set("attStmt", new Map())
      .set("authData", new Uint8Array(authData));
    const attestationObject = Buffer.from(isoCBOR.encode(bare)).toString("base64url");
    return { ...attestation, response: { ...attestation.response, attestationObject } };
  } catch {
    // The decoder throws for bytes that aren't CBOR or are nested too deep.
    return null;
  }
}
