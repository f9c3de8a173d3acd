import { createServer } from "node:http";
import { connect } from "node:net";
import { writeReadableStreamToWritable } from "@remix-run/node";
import express from "express";
import { expect, test } from "vitest";
import { pacedBody, whenLeft, whenWritable } from "~/server/request/paced-body.server";
import { listenLocally } from "../../../tests/helpers/local-server";

test("an endless body waits for a reader that does not read, and ends when the reader goes", async () => {
  let made = 0;
  let ended = false;
  async function* endless() {
    try {
      for (;;) {
        made += 1;
        yield "x".repeat(64 * 1024);
      }
    } finally {
      ended = true;
    }
  }
  const app = express();
  app.get("/", async (_request, response) => {
    const body = pacedBody(endless(), {
      whenLeft: () => whenLeft(response),
      whenWritable: () => whenWritable(response),
    });
    // As the framework's adapter does it: without checking whether the connection takes more. React Router's says that the
    // reader has gone, and its adapter passes over that.
    await writeReadableStreamToWritable(body, response).catch(() => undefined);
  });
  const port = await listenLocally(createServer(app));
  const socket = connect(port, "127.0.0.1");
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");

  // It has stopped when thirty checks in a row see nothing new.
  let seen = 0;
  let still = 0;
  const looksWithoutMore = () => {
    still = made > 0 && made === seen ? still + 1 : 0;
    seen = made;
    return still;
  };
  await expect.poll(looksWithoutMore, { interval: 20 }).toBeGreaterThan(30);
  const before = made;
  expect(before * 64 * 1024).toBeLessThan(64 * 1024 * 1024);

  socket.resume();
  await expect.poll(() => made).toBeGreaterThan(before + 100);
  socket.destroy();
  await expect.poll(() => ended).toBe(true);
});
