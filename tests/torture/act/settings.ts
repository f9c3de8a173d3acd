import type { Operation } from "../plan/operations";
import { signIn } from "./entering";
import { must } from "./fault";
import { blur, type Person } from "./person";
import { asForm, asJson, ask, headersOf, lookUp, type Stage, tryOnce } from "./stage";

/** Sets or takes away the account's monthly limit, by its form. */
export async function setLimit(
  stage: Stage,
  person: Person,
  { credits: wanted, more, at }: Operation & { do: "limit" },
): Promise<void> {
  const used = person.runs.reduce((sum, { charged }) => sum + charged, 0);
  const credits = wanted === null ? null : wanted + (more ? used : 0);
  // Its form asks who is there, ten minutes after the sign-in.
  await signIn(stage, person);
  const fields = new URLSearchParams({ intent: "limits", monthlyLimit: String(credits ?? "") });
  const reply = await ask(
    stage,
    {
      ...{ at, method: "POST", path: "/en/account/limits", body: fields.toString() },
      headers: { ...headersOf(person), ...asForm },
    },
    person,
  );
  const where = String(reply.headers.location);
  must(reply.status === 303 && where.includes("done=limits"), `a limit is answered by ${where}`);
  person.limit = credits;
  person.limits.push({ credits, from: Date.now() });
  stage.count("limit");
}

/** Makes an API key, which is used from then on. */
export async function makeKey(
  stage: Stage,
  person: Person,
  { limit, at }: Operation & { do: "key" },
): Promise<void> {
  await signIn(stage, person);
  const name = `step ${person.steps}`;
  person.keys.push({ name, limit });
  const fields = new URLSearchParams({
    ...{ intent: "make", name, scopes: "generate" },
    ...{ monthlyLimit: String(limit ?? ""), expiresInDays: "" },
  });
  fields.append("scopes", "read");
  const reply = await tryOnce(stage, {
    ...{ at, method: "POST", path: "/en/account/api-keys", body: fields.toString() },
    headers: { ...headersOf(person), ...asForm },
  });
  if (!reply) return blur(person);
  const secret = /rcs_test_[0-9a-z]{33}/.exec(reply.text)?.[0];
  if (reply.status >= 400 && reply.text.includes("You have 20 keys")) return;
  must(secret !== undefined, `making a key is answered by ${reply.status} without a key`);
  person.key = { secret, name, limit };
  stage.count("key");
}

/** Revokes the API key in use. From that moment on no server takes it, whatever it is used for. */
export async function revokeKey(
  stage: Stage,
  person: Person,
  { at }: Operation & { do: "revoke" },
): Promise<void> {
  if (!person.key) return;
  const [row] = await lookUp<{ id: string }>(
    stage,
    "SELECT id FROM api_keys WHERE account_id = $1 AND name = $2",
    [person.userId, person.key.name],
  );
  await signIn(stage, person);
  const fields = new URLSearchParams({ intent: "revoke", keyId: row?.id ?? "" });
  const asked = { method: "POST", path: "/en/account/api-keys", body: fields.toString() };
  const headers = { ...headersOf(person), ...asForm };
  const reply = await ask(stage, { ...asked, headers, at }, person);
  const where = String(reply.headers.location);
  must(reply.status === 303 && where.includes("done=revoked"), `a key's end leads to ${where}`);
  const revoked = headersOf(person, "key");
  person.key = null;
  const text = {
    path: "/api/generate-text",
    method: "POST",
    body: JSON.stringify({ prompt: "a" }),
  };
  for (const call of [{ path: "/api/account/credits" }, text])
    for (const site of [0, 1] as const) {
      const headers = { ...revoked, ...asJson };
      const { status } = await ask(stage, { ...call, at: site, headers });
      must(status === 401, `a key that was revoked is answered by ${status} at ${call.path}`);
    }
  stage.count("key revoked");
}

/** An operator gives credits, or takes some. The same key again changes nothing. */
export async function adjust(
  stage: Stage,
  person: Person,
  { credits }: Operation & { do: "adjust" },
): Promise<void> {
  // An operator may choose any key, also one with a number that is too large for an id.
  const adjustment = {
    ...{ key: `${person.userId}:${Date.now()}00000000:${person.steps}`, credits },
    outcome: "unknown" as const,
  };
  person.adjustments.push(adjustment);
  const before = person.known;
  await repeatAdjustment(stage, person, person.adjustments.length - 1);
  const { outcome } = person.adjustments.at(-1) ?? adjustment;
  if (outcome === "unknown") return blur(person);
  if (before === null || person.isBlurred) return;
  const isEnough = before + credits >= 0;
  must(
    isEnough === (outcome === "done"),
    `an adjustment of ${credits} to ${before} credits was ${outcome}`,
  );
  person.known = outcome === "done" ? before + credits : before;
}

export async function repeatAdjustment(stage: Stage, person: Person, at: number): Promise<void> {
  const adjustment = person.adjustments[at];
  if (adjustment?.outcome !== "unknown") return;
  const { key, credits } = adjustment;
  const began = performance.now();
  const named = ["--reason", "torture", "--key", key];
  const { code, output } = await stage.world.command(
    ...(["ledger", "adjust", person.email, String(credits), ...named] as const),
  );
  stage.count("command");
  if (code === 0) adjustment.outcome = "done";
  else if (/the balance is \d+: nothing was changed/.test(output)) adjustment.outcome = "refused";
  else must(stage.isStormy(began), `ledger adjust ended with ${code}: ${output}`);
}

/** The scheduler waits so long. */
const CRON_MS = 240_000;

export async function maintain(
  stage: Stage,
  { job, at }: Operation & { do: "maintain" },
): Promise<string> {
  const headers = { Authorization: `Bearer ${stage.world.cronSecret}` };
  const path = `/api/cron/${job}`;
  const reply = await ask(stage, { at, path, headers, timeout: CRON_MS });
  must(reply.status === 200, `${job} is answered by ${reply.status}: ${reply.text}`);
  stage.count(`cron: ${job}`);
  return reply.text;
}
