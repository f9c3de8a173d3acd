import { randomBytes } from "node:crypto";
import { verifyUserAddress } from "~/models/admin/account-actions.server";
import { describeError } from "~/utils/describe-error";
import { operatorActor } from "../lib/operator-event";
import { checkPurchase, checkReadBack, checkSubscription } from "./purchase-steps";
import { type Acceptance, demand, type Evidence, type StepResult } from "./step";
import { checkCancellation, checkPortal } from "./subscription-steps";
import { checkEndpoint, checkReplay } from "./webhook-steps";

/**
 * Runs the steps: purchase, replay, subscription, cancellation, portal. Each builds on the ones before.
 * A step whose prerequisite failed is skipped.
 */
export async function runAcceptance(
  start: Omit<Acceptance, "userId">,
  { email, onStep }: { email: string | null; onStep(step: StepResult): void },
): Promise<StepResult[]> {
  const acceptance: Acceptance = { ...start, userId: "" };
  const results: StepResult[] = [];

  async function step<E extends Evidence>(
    id: string,
    needs: unknown,
    work: () => Promise<[message: string, evidence: E]>,
  ): Promise<E | null> {
    const finish = (result: Omit<StepResult, "id">) => {
      results.push({ id, ...result });
      onStep({ id, ...result });
    };
    if (!needs) {
      finish({ status: "skip", message: "what it needs did not succeed", evidence: {} });
      return null;
    }
    try {
      const [message, evidence] = await work();
      finish({ status: "pass", message, evidence });
      return evidence;
    } catch (error) {
      finish({ status: "fail", message: describeError(error), evidence: {} });
      return null;
    }
  }

  const endpoint = await step("webhook", true, () => checkEndpoint(acceptance));
  const buyer = await step("buyer", endpoint, () => signUp(acceptance, email));
  acceptance.userId = buyer?.userId ?? "";
  const purchase = await step("purchase", buyer, () => checkPurchase(acceptance));
  const checkoutId = purchase?.checkoutId ?? "";
  const readBack = await step("read-back", purchase, () => checkReadBack(acceptance, checkoutId));
  await step("replay", readBack, () => checkReplay(acceptance, checkoutId));
  const plan = await step("subscription", buyer, () => checkSubscription(acceptance));
  await step("cancellation", plan, () => checkCancellation(acceptance, plan?.subscriptionId ?? ""));
  await step("portal", plan, () => checkPortal(acceptance));
  return results;
}

/** A new account for each run: an account with a subscription can't buy a second one. */
async function signUp(
  { client, db }: Acceptance,
  given: string | null,
): Promise<[string, Evidence & { userId: string }]> {
  const email = (given ?? `acceptance-${randomBytes(6).toString("hex")}@example.com`).toLowerCase();
  const password = randomBytes(18).toString("base64url");
  const { status } = await client.send("POST", "/en/sign-up", {
    body: new URLSearchParams({ email, password }),
  });
  demand(status === 303, `the sign-up of a new account returned ${status} instead of 303`);
  const user = await db.user.findUnique({ where: { email }, select: { id: true } });
  demand(user, "the new account is not in this database: is DATABASE_URL the deployment's?");
  // Nobody reads emails to the invented address, and payments need a verified one where email is on.
  const reason = "the account of an acceptance test";
  await verifyUserAddress({ actor: operatorActor(), userId: user.id, reason }, db);
  // Where the bot challenge is on, the sign-up began no session: the account was held until now.
  const signIn = await client.send("POST", "/en/sign-in", {
    body: new URLSearchParams({ email, password }),
  });
  demand(signIn.status === 303, `the sign-in returned ${signIn.status} instead of 303`);
  return [`account ${user.id} is new`, { userId: user.id }];
}
