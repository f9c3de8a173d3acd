import { randomUUID } from "node:crypto";

const PASSWORD = "correct horse battery";

/** A browser's requests, from one network, with the cookies it was given. */
export interface Visitor {
  email: string;
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Sends JSON. Returns the status and the parsed response. */
  json(path: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Posts a plain form and reads the response to its end. Returns its status. */
  form(path: string, fields: Record<string, string>): Promise<number>;
  cookie(): string;
}

/** A visitor from the given network. The server under test believes one proxy. */
export function createVisitor(siteUrl: string, network: string): Visitor {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map((pair) => pair.join("=")).join("; ");
  const send: Visitor["send"] = async (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("X-Forwarded-For", network);
    if (jar.size > 0) headers.set("Cookie", cookie());
    const response = await fetch(siteUrl + path, { redirect: "manual", ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return response;
  };
  return {
    email: `${randomUUID()}@example.com`,
    send,
    cookie,
    async json(path, body) {
      const response = await send(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      const isJson = response.headers.get("Content-Type")?.includes("json");
      return { status: response.status, body: isJson ? JSON.parse(text) : {} };
    },
    async form(path, fields) {
      const response = await send(path, { method: "POST", body: new URLSearchParams(fields) });
      await response.arrayBuffer();
      return response.status;
    },
  };
}

/** A visitor with a new account. `fields` go with the form. */
export async function signUpFrom(
  siteUrl: string,
  network: string,
  fields: Record<string, string> = {},
): Promise<Visitor> {
  const visitor = createVisitor(siteUrl, network);
  const { email } = visitor;
  const status = await visitor.form("/en/sign-up", { email, password: PASSWORD, ...fields });
  if (status !== 303) throw new Error(`a sign-up got ${status}`);
  return visitor;
}

/** Asks for an upload and stores the object. Returns the file's id. */
export async function storePicture(visitor: Visitor, content: Uint8Array): Promise<string> {
  const { fileId, uploadUrl } = await askForUpload(visitor, content.byteLength);
  const put = await fetch(uploadUrl, {
    method: "PUT",
    headers: { "Content-Type": "image/png" },
    body: new Uint8Array(content),
  });
  await put.arrayBuffer();
  if (!put.ok) throw new Error(`the store refused a picture: ${put.status}`);
  return fileId;
}

/** Step 1 of an upload, without its object. */
export async function askForUpload(
  visitor: Visitor,
  contentLength: number,
): Promise<{ fileId: string; uploadUrl: string }> {
  const upload = { filename: "a.png", contentType: "image/png", contentLength };
  const { status, body } = await visitor.json("/api/storage/upload", upload);
  if (status !== 200) throw new Error(`an upload URL got ${status}`);
  return { fileId: String(body.fileId), uploadUrl: String(body.uploadUrl) };
}
