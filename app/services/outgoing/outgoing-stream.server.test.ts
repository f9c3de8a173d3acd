import http from "node:http";
import { expect, test } from "vitest";
import { startCatcher } from "#tests/helpers/catcher";
import { listenLocally } from "#tests/helpers/local-server";
import { allowAddresses } from "~/services/outgoing/allowed-origins.server";
import { outgoingStream } from "~/services/outgoing/outgoing-stream.server";
import { PURPOSES } from "~/services/outgoing/purposes.server";

/** A server that GitHub's purpose may call. */
async function startAllowed(listener: http.RequestListener): Promise<string> {
  const url = `http://127.0.0.1:${await listenLocally(http.createServer(listener))}`;
  allowAddresses({ github: [url] });
  return url;
}

test("a response comes while it is made, with its status and headers", async () => {
  let goOn = () => {};
  const url = await startAllowed((_request, response) => {
    response.writeHead(418, { "X-Seen": "yes" });
    response.write("first");
    goOn = () => void response.end("last");
  });
  const reply = await outgoingStream("github")(url);
  expect([reply.status, reply.headers.get("X-Seen")]).toEqual([418, "yes"]);
  const reader = reply.body?.getReader();
  const read = async () => Buffer.from((await reader?.read())?.value ?? "").toString();
  expect(await read()).toBe("first");
  goOn();
  expect(await read()).toBe("last");
  expect(await reader?.read()).toMatchObject({ done: true });
});

test("another origin is refused before anything is connected, and a redirect is not followed", async () => {
  const { url: elsewhere, asked } = await startCatcher();
  const url = await startAllowed((_request, response) => {
    response.writeHead(307, { Location: elsewhere }).end();
  });
  await expect(outgoingStream("github")(elsewhere)).rejects.toThrow("no call to");
  await expect(outgoingStream("github")(url, { redirect: "follow" })).rejects.toThrow();
  expect(asked).toEqual([]);
});

test("a body beyond the purpose's bytes ends with an error, and the connection with it", async () => {
  let closed = false;
  const url = await startAllowed((_request, response) => {
    response.once("close", () => {
      closed = true;
    });
    const more = Buffer.alloc(64 * 1024);
    const send = () => {
      while (!response.destroyed && response.write(more));
      if (!response.destroyed) response.once("drain", send);
    };
    send();
  });
  const reply = await outgoingStream("github")(url);
  await expect(reply.arrayBuffer()).rejects.toThrow(`longer than ${PURPOSES.github.bytes} bytes`);
  await expect.poll(() => closed).toBe(true);
});

test("a signal ends a call before and after its response began", async () => {
  let open = 0;
  const url = await startAllowed((request, response) => {
    open += 1;
    response.once("close", () => {
      open -= 1;
    });
    if (request.url === "/begins") response.write("first");
  });
  for (const path of ["/silent", "/begins"]) {
    const stop = new AbortController();
    const call = outgoingStream("github")(`${url}${path}`, { signal: stop.signal });
    const text = call.then((reply) => reply.text());
    await expect.poll(() => open).toBe(1);
    stop.abort();
    await expect(text).rejects.toThrow("aborted");
    await expect.poll(() => open).toBe(0);
  }
});
