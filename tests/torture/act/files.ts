import { z } from "zod";
import { PNG } from "../../helpers/sample-files";
import type { Operation } from "../plan/operations";
import { send } from "../world/http";
import { codeOf, readAnswer } from "./answers";
import { must } from "./fault";
import { fromEnd, type Person } from "./person";
import { asJson, ask, headersOf, type Stage } from "./stage";

const begun = z.object({ fileId: z.string(), uploadUrl: z.string() });
const page = z.object({
  files: z.array(z.object({ fileId: z.string() })),
  nextCursor: z.string().nullable(),
});

/** Uploads a picture as a browser does: asks where to, sends it to the store, and has it confirmed. */
export async function upload(
  stage: Stage,
  person: Person,
  { at }: Operation & { do: "upload" },
): Promise<void> {
  const headers = { ...headersOf(person), ...asJson };
  const wanted = { filename: "cat.png", contentType: "image/png", contentLength: PNG.byteLength };
  const path = "/api/storage/upload";
  const asked = { at, method: "POST", path, headers, body: JSON.stringify(wanted) };
  const reply = await ask(stage, asked, person);
  must(reply.status === 200, `an upload is answered by ${reply.status} ${codeOf(reply)}`);
  const { fileId, uploadUrl } = readAnswer(reply, begun);
  const began = performance.now();
  const stored = await putFile(uploadUrl);
  stage.count("upload");
  if (!stored) return must(stage.isStormy(began), "the store took no upload");
  const body = JSON.stringify({ fileId });
  const confirmed = await ask(
    stage,
    { at, method: "POST", path: "/api/storage/confirm", headers, body },
    person,
  );
  const code = codeOf(confirmed);
  const isDisturbed = stage.isStormy(began);
  // A process that died keeps its claim for a minute: whether the file is confirmed isn't known.
  if (isDisturbed && code === "confirm_in_progress") return;
  // The first answer may have been lost.
  const isDone = confirmed.status === 200 || (isDisturbed && code === "already_confirmed");
  must(isDone, `a confirmation is answered by ${confirmed.status} ${code}`);
  person.files.push(fileId);
}

async function putFile(url: string): Promise<boolean> {
  const { port, pathname, search } = new URL(url);
  const call = { port: Number(port), method: "PUT", path: pathname + search };
  const reply = await send({ ...call, headers: { "Content-Type": "image/png" }, body: PNG }).catch(
    () => null,
  );
  return reply?.status === 200 && reply.isWhole;
}

export async function discard(
  stage: Stage,
  person: Person,
  { back, at }: Operation & { do: "discard" },
): Promise<void> {
  const fileId = fromEnd(person.files, back);
  if (!fileId) return;
  const path = `/api/storage/files/${fileId}`;
  const began = performance.now();
  const asked = { at, method: "DELETE", path, headers: headersOf(person) };
  const { status } = await ask(stage, asked, person);
  // The first answer may have been lost.
  const isGone = status === 204 || (status === 404 && stage.isStormy(began));
  must(isGone, `deleting a file is answered by ${status}`);
  person.files = person.files.filter((kept) => kept !== fileId);
  person.discarded.push(fileId);
  stage.count("file deleted");
}

/** All that was confirmed is listed, and nothing that was deleted. */
export async function judgeFiles(stage: Stage, person: Person): Promise<void> {
  const listed = new Set<string>();
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path: string = `/api/storage/files${cursor === "" ? "" : `?cursor=${cursor}`}`;
    const reply = await ask(stage, { at: 0, path, headers: headersOf(person) }, person);
    must(reply.status === 200, `${path} is answered by ${reply.status}`);
    const { files, nextCursor } = readAnswer(reply, page);
    for (const { fileId } of files) listed.add(fileId);
    cursor = nextCursor;
  }
  for (const id of person.files) must(listed.has(id), `the file ${id} isn't listed`);
  for (const id of person.discarded) must(!listed.has(id), `the deleted file ${id} is listed`);
  stage.count("files judged");
}
