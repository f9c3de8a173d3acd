import { decodeAttestationObject, isoCBOR } from "@simplewebauthn/server/helpers";
// The library's package exports no way to this object, so the file is named by its path. Path and
// package lead to the same module in the build and in tests. In development they do because
// vite.config.ts has Vite load the package there, too. If an upgrade moves the file, types and build fail.
import { _fetchInternals } from "../../../node_modules/@simplewebauthn/server/esm/helpers/fetch.js";
import type { Attestation } from "./passkey-response";

/**
 * The same answer with an attestation of format `none`; null if its object is malformed. Browsers are
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

/** Has the library throw where it would fetch an address, should it ever see a statement. */
export function forbidLibraryToFetch(): void {
  _fetchInternals.stubThis = () => {
    throw new Error("the passkeys' library may not fetch anything");
  };
}
