import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { connectDb, type Database } from "~/db.server";
import { parseEnv } from "~/env.server";
import { removeStrays } from "~/models/files/stray-objects.server";
import { moveFiles, wantAccess } from "~/models/images/image-moves.server";
import { allowAddressesOf } from "~/services/outgoing/allowed-origins.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { createS3Store } from "~/services/storage/s3-store.server";
import { REQUIRED } from "../../fixtures/env";
import { type Person, signUp } from "../../helpers/client";
import { giveCredits } from "../../helpers/ledger";
import { runMaintenance, withImageServer } from "../../helpers/with-image-server";

const app = withImageServer();
let db: Database;
let store: ObjectStore;

beforeAll(() => {
  db = connectDb(app.databaseUrl);
  const env = parseEnv({ ...REQUIRED, NEXT_PUBLIC_SITE_URL: app.url, ...inject("s3Env") });
  allowAddressesOf(env);
  if (!env.storage.enabled) throw new Error("storage is off");
  store = createS3Store(env.storage);
});
afterAll(() => db.$disconnect());

interface MovedFile {
  id: string;
  userId: string;
  key: string;
  access: "private" | "public";
  wanted: string | null;
  widths: number[];
}

async function fileOf({ email }: Person): Promise<MovedFile> {
  const [file] = await app.sql<MovedFile>(
    `SELECT files.id, user_id AS "userId", key, access, wanted_access AS wanted,
       thumbnail_widths AS widths
     FROM files JOIN users ON users.id = user_id WHERE email = $1 AND deleted_at IS NULL`,
    [email],
  );
  if (!file) throw new Error("there is no file");
  return file;
}

/** A person with one generated image, and its thumbnail. */
async function withImage(): Promise<{ person: Person; file: MovedFile }> {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, 100);
  const { status } = await person.json("POST", "/api/generate-image", { prompt: "a lake" });
  expect(status).toBe(200);
  await expect.poll(async () => (await fileOf(person)).widths).not.toEqual([]);
  return { person, file: await fileOf(person) };
}

const exists = async (file: Pick<MovedFile, "key" | "access">) => (await store.head(file)) !== null;
const strays = () => app.sql<{ key: string }>("SELECT key FROM stray_objects");
/** The keys of all objects of the person that are public or private. */
const urlOf = async ({ id }: MovedFile) => {
  const [row] = await app.sql<{ url: string | null }>(
    `SELECT kept.image ->> 'url' AS url FROM image_generations, jsonb_array_elements(images) kept(image)
     WHERE kept.image ->> 'fileId' = $1`,
    [id],
  );
  return row?.url;
};
/** The grace of strays is over. */
const passGrace = () =>
  app.sql(
    `UPDATE stray_objects SET created_at = created_at - interval '1 hour',
       condemned_at = condemned_at - interval '1 hour'`,
  );

/** Removes every stray, as maintenance does over an hour. */
async function sweep(): Promise<void> {
  for (const _run of [1, 2]) {
    await passGrace();
    await removeStrays({ store, limit: 100 }, db);
  }
}

const only = ({ userId }: MovedFile) => ({ limit: 10, userId });

test("an image made private lies under a private key, and its old address is gone at once", async () => {
  const { person, file } = await withImage();
  expect(file.access).toBe("public");
  expect((await fetch(store.publicUrl(file.key))).status).toBe(200);
  expect(await wantAccess({ userId: file.userId, fileId: file.id, access: "private" }, db)).toBe(1);
  expect(await moveFiles({ store, ...only(file) }, db)).toBe(1);
  const moved = await fileOf(person);
  expect(moved).toMatchObject({ id: file.id, access: "private", wanted: null });
  expect(moved.key).toMatch(new RegExp(`^private/${file.userId}/`));
  expect((await fetch(store.publicUrl(file.key))).status).toBe(404);
  expect((await fetch(store.publicUrl(file.key.replace(".png", "-320.webp")))).status).toBe(404);
  expect(await exists(moved)).toBe(true);
  expect(await urlOf(file)).toBeNull();

  await wantAccess({ userId: file.userId, fileId: null, access: "public" }, db);
  await moveFiles({ store, ...only(file) }, db);
  const back = await fileOf(person);
  expect(back.key).not.toBe(file.key);
  expect(await urlOf(file)).toBe(store.publicUrl(back.key));
  expect((await fetch(store.publicUrl(back.key))).status).toBe(200);
  expect(await exists(moved)).toBe(false);
  await sweep();
  expect(await strays()).toEqual([]);
});

/** The store of a process that is killed when it comes to this step, before or after it. */
function killedAt(step: "copy" | "delete", when: "before" | "after") {
  let die = () => {};
  const dead = new Promise<void>((resolve) => {
    die = resolve;
  });
  const never = new Promise<never>(() => {});
  const dying: ObjectStore = {
    ...store,
    [step]: async (...parameters: unknown[]) => {
      if (when === "after")
        await (store[step] as (...all: unknown[]) => Promise<void>)(...parameters);
      die();
      return never;
    },
  };
  return { dying, dead };
}

test.each([
  ["copy", "before", "public"],
  ["copy", "after", "public"],
  ["delete", "before", "private"],
  ["delete", "after", "private"],
] as const)(
  "killed at the %s, %s it: the file is whole, and the next run ends what was begun",
  async (step, when, access) => {
    const { person, file } = await withImage();
    await wantAccess({ userId: file.userId, fileId: file.id, access: "private" }, db);
    const { dying, dead } = killedAt(step, when);
    void moveFiles({ store: dying, ...only(file) }, db);
    await dead;
    const left = await fileOf(person);
    expect(left.access).toBe(access);
    expect(await exists(left)).toBe(true);

    await moveFiles({ store, ...only(file) }, db);
    await removeStrays({ store, limit: 100 }, db);
    const moved = await fileOf(person);
    expect(moved).toMatchObject({ access: "private", wanted: null });
    expect(await exists(moved)).toBe(true);
    expect(await exists(file)).toBe(false);
    const copies = (await strays()).map(({ key }) => key);
    await sweep();
    expect(await strays()).toEqual([]);
    for (const key of copies) {
      expect(await exists({ key, access: "private" })).toBe(false);
      expect(await exists({ key, access: "public" })).toBe(false);
    }
    expect(await exists(moved)).toBe(true);
  },
);

test("two processes that move one image at once leave one object", async () => {
  const { person, file } = await withImage();
  await wantAccess({ userId: file.userId, fileId: file.id, access: "private" }, db);
  const counts = await Promise.all([1, 2].map(() => moveFiles({ store, ...only(file) }, db)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  const moved = await fileOf(person);
  expect(await exists(moved)).toBe(true);
  const copies = await strays();
  await sweep();
  for (const { key } of copies) expect(await exists({ key, access: "private" })).toBe(false);
  expect(await exists(moved)).toBe(true);
});

test("an image deleted while it moves leaves no object", async () => {
  const { person, file } = await withImage();
  await wantAccess({ userId: file.userId, fileId: file.id, access: "private" }, db);
  const copied = { key: "" };
  const slow: ObjectStore = {
    ...store,
    copy: async (objects) => {
      await store.copy(objects);
      copied.key = objects.to.key;
      await person.fetch(`/api/storage/files/${file.id}`, { method: "DELETE" });
    },
  };
  expect(await moveFiles({ store: slow, ...only(file) }, db)).toBe(0);
  expect(await exists(file)).toBe(false);
  expect(await exists({ key: copied.key, access: "private" })).toBe(false);
});

test("a copy that was condemned is not taken over", async () => {
  const { person, file } = await withImage();
  await wantAccess({ userId: file.userId, fileId: file.id, access: "private" }, db);
  const slow: ObjectStore = {
    ...store,
    copy: async (objects) => {
      await store.copy(objects);
      await passGrace();
      await removeStrays({ store, limit: 100 }, db);
    },
  };
  expect(await moveFiles({ store: slow, ...only(file) }, db)).toBe(0);
  expect(await fileOf(person)).toMatchObject({ key: file.key, access: "public" });
  expect(await exists(file)).toBe(true);
});

test("who chose private gets private objects from the start, and signed addresses", async () => {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, 100);
  await person.post("/en/account/images", { intent: "new", access: "private" });
  const ask = () => person.json("POST", "/api/generate-image", { prompt: "a lake" });
  const { status, body } = await ask();
  expect(status).toBe(200);
  const [image] = body.images as { url: string; urlExpiresAt: string; persisted: boolean }[];
  expect(Date.parse(image?.urlExpiresAt ?? "")).toBeGreaterThan(Date.now());
  expect(new URL(image?.url ?? "").searchParams.has("X-Amz-Signature")).toBe(true);
  expect((await fetch(image?.url ?? "")).status).toBe(200);
  expect(await fileOf(person)).toMatchObject({ access: "private", wanted: null });
  // The same request again has the same image, newly signed.
  const again = await ask();
  expect(again.body).toMatchObject({
    creditsCharged: body.creditsCharged,
    images: [{ persisted: true }],
  });
});

test("nobody moves another person's image, or an upload", async () => {
  const { file } = await withImage();
  const stranger = await signUp(app.url);
  const response = await stranger.post(`/en/files/${file.id}/access`, { access: "private" });
  expect(response.status).toBe(404);
  expect(await fileOf({ email: await ownerOf(file) } as Person)).toMatchObject({ wanted: null });
});

async function ownerOf({ userId }: MovedFile): Promise<string> {
  const [row] = await app.sql<{ email: string }>("SELECT email FROM users WHERE id = $1", [userId]);
  return row?.email ?? "";
}

test("maintenance moves what a request left", async () => {
  const { person, file } = await withImage();
  await wantAccess({ userId: file.userId, fileId: null, access: "private" }, db);
  expect((await runMaintenance(app.url)).filesMoved).toBeGreaterThan(0);
  expect(await fileOf(person)).toMatchObject({ access: "private" });
});
