import { expect, test } from "vitest";
import { creditsFor } from "~/catalog";
import { signUp } from "../../helpers/client";
import { expectSoundLedger, ledgerOf } from "../../helpers/ledger";
import { readAllEvents } from "../../helpers/read-events";
import { story, textPeople } from "../../helpers/text-people";
import { withTextServer } from "../../helpers/with-text-server";

const app = withTextServer({}, { pieceMs: 5 });
const { personWith, send } = textPeople(app);
type Person = Parameters<typeof send>[0];

const begin = (person: Person, body: object, headers: Record<string, string> = {}) =>
  send(person, body, { Prefer: "respond-async", ...headers });

test("a text that isn't awaited is a 202 at once, and its run tells the rest", async () => {
  const person = await personWith(5);
  const response = await begin(person, { prompt: story(60) });
  const accepted = (await response.json()) as { runId: string; status: string };
  expect([response.status, accepted.status]).toEqual([202, "running"]);
  expect(response.headers.get("Location")).toBe(`/api/runs/${accepted.runId}`);
  expect(response.headers.get("Preference-Applied")).toBe("respond-async");
  const path = `/api/runs/${accepted.runId}`;
  await expect
    .poll(async () => (await person.json("GET", path)).body)
    .toMatchObject({
      action: "text",
      status: "succeeded",
      unit: "token",
      creditsCharged: creditsFor("text", 65),
      result: { finishReason: "stop", text: expect.stringMatching(/\.$/) },
    });
  await expectSoundLedger(app);
});

test("who reads along gets the text from its beginning to its end, from any moment on", async () => {
  const person = await personWith(5);
  const response = await begin(person, { prompt: story(600) });
  const { runId } = (await response.json()) as { runId: string };
  const follow = async () => {
    const headers = { Accept: "text/event-stream" };
    return readAllEvents(await person.fetch(`/api/runs/${runId}`, { headers }));
  };
  const early = follow();
  await new Promise((resolve) => setTimeout(resolve, 700));
  const [first, later] = await Promise.all([early, follow()]);
  const afterwards = await follow();
  const { body } = await person.json("GET", `/api/runs/${runId}`);
  const { text } = body.result as { text: string };
  for (const events of [first, later, afterwards]) {
    expect(events[0]).toMatchObject({ event: "run", data: { runId } });
    const deltas = events.filter(({ event }) => event === "delta");
    expect(deltas.map(({ data }) => data.text).join("")).toBe(text);
    expect(events.at(-1)).toMatchObject({ event: "done", data: { finishReason: "stop" } });
  }
  expect(first.filter(({ event }) => event === "delta").length).toBeGreaterThan(1);
  expect(afterwards.filter(({ event }) => event === "delta")).toHaveLength(1);
  expect((await app.texts.calls()).completions).toBe(1);
});

test("the same key again is the same run at any time, and is paid once", async () => {
  const person = await personWith(5);
  const key = { "Idempotency-Key": "one-text" };
  const ids = await Promise.all(
    [1, 2, 3].map(async () => {
      const response = await begin(person, { prompt: story(40) }, key);
      expect(response.status).toBe(202);
      return ((await response.json()) as { runId: string }).runId;
    }),
  );
  expect(new Set(ids).size).toBe(1);
  await expect
    .poll(async () => (await person.json("GET", `/api/runs/${ids[0]}`)).body.status)
    .toBe("succeeded");
  const again = await begin(person, { prompt: story(40) }, key);
  expect(await again.json()).toMatchObject({ runId: ids[0], status: "succeeded" });
  expect((await app.texts.calls()).completions).toBe(1);
  expect((await ledgerOf(app, person.email)).filter(([type]) => type === "deduction")).toHaveLength(
    1,
  );
});

test("another person's run and its text are not found", async () => {
  const person = await personWith(5);
  const { runId } = (await (await begin(person, { prompt: story(20) })).json()) as {
    runId: string;
  };
  const stranger = await signUp(app.url);
  for (const Accept of ["application/json", "text/event-stream"]) {
    const response = await stranger.fetch(`/api/runs/${runId}`, { headers: { Accept } });
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { code: "run_not_found" },
    ]);
  }
});
