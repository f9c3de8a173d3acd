import { randomUUID } from "node:crypto";
import { createAuthenticator } from "#tests/helpers/authenticator";
import { withHostileStatement } from "#tests/helpers/hostile-attestation";
import { PLANS } from "~/catalog";
import { ATTACKER, atOnce, type Flood } from "./flood";
import { createVisitor, signUpFrom, type Visitor } from "./visitor";

const newAddress = () => `${randomUUID()}@example.com`;

const wrongSignIns: Flood["prepare"] = async (siteUrl) => {
  const visitor = createVisitor(siteUrl, ATTACKER);
  return () =>
    atOnce(100, () => visitor.form("/en/sign-in", { email: newAddress(), password: "wrong one" }));
};

/** Adds a passkey whose certificate names an address that never responds. */
async function addHostilePasskey(siteUrl: string, visitor: Visitor): Promise<number> {
  const { status, body } = await visitor.json("/api/passkeys/options", { purpose: "register" });
  if (status !== 200) return status;
  const options = body as { challenge: string; user: { id: string } };
  const { publicKey, register } = createAuthenticator(siteUrl);
  const plain = register(options);
  const response = await withHostileStatement(plain, {
    format: "android-key",
    publicKey,
    crlUrl: "http://127.0.0.1:9/crl",
  });
  return await visitor.form("/en/account/security/passkeys", { intent: "add", response });
}

export const accountFloods: Record<string, Flood> = {
  passkeys: {
    what: "passkeys, 20 at once, with certificates that name an address (S1)",
    async prepare(siteUrl) {
      const visitor = await signUpFrom(siteUrl, ATTACKER);
      return () => atOnce(20, () => addHostilePasskey(siteUrl, visitor));
    },
  },
  tokenless: {
    what: "100 sign-ins at once without the challenge's token, at addresses that nobody has (S4)",
    hasBotChallenge: true,
    prepare: wrongSignIns,
  },
  passwords: {
    what: "100 wrong sign-ins at once, at addresses that nobody has",
    prepare: wrongSignIns,
  },
  "new-passwords": {
    what: "100 sign-ups at once with a password of 200 characters that takes long to judge",
    async prepare(siteUrl) {
      const visitor = createVisitor(siteUrl, ATTACKER);
      const password = "aB1!".repeat(50);
      return () =>
        atOnce(100, () => visitor.form("/en/sign-up", { email: newAddress(), password }));
    },
  },
  billing: {
    what: "200 requests at once for the portal and to cancel, by one customer (S8)",
    async prepare(siteUrl) {
      const visitor = await signUpFrom(siteUrl, ATTACKER);
      await buyPlan(visitor);
      const paths = ["/api/payments/portal", "/api/payments/subscription/cancel"];
      return () =>
        atOnce(200, async (index) => (await visitor.json(paths[index % 2] ?? "", {})).status);
    },
  },
};

/** Subscribes at the stand-in, so that the visitor is a customer. */
async function buyPlan(visitor: Visitor): Promise<void> {
  const plan = { planKey: PLANS[0].planKey, period: "month" };
  const { status, body } = await visitor.json("/api/payments/subscription/checkout", plan);
  if (status !== 200) throw new Error(`a checkout got ${status}`);
  const paid = await fetch(String(body.url), {
    method: "POST",
    body: new URLSearchParams({ intent: "pay" }),
    redirect: "manual",
  });
  await paid.arrayBuffer();
  const portal = await visitor.json("/api/payments/portal", {});
  if (portal.status !== 200) throw new Error(`the portal of a new customer got ${portal.status}`);
}
