import { once } from "node:events";
import type { Server } from "node:http";
import express from "express";
import type { Env } from "~/env.server";
import { createHttpServer } from "~/server/http/create-http-server.server";
import { httpLimits } from "~/server/http/http-limits.server";
import { requestLog } from "~/server/http/request-log.server";
import { bareHeaders } from "~/server/http/security-headers.server";
import { getMetricsText } from "~/server/metrics/metrics-text.server";
import { joinReports } from "~/server/metrics/process-reports.server";
import { problemOf, sendProblem } from "~/server/request/problem-response.server";

/**
 * Serves `/healthz` and this process's `/metrics` on `METRICS_PORT`, for a worker, which serves nothing else. Resolves
 * once it listens; with null if the variable is unset. Rejects if the port can't be had.
 */
export async function startWorkerServer(env: Env): Promise<Server | null> {
  if (env.metricsPort === null) return null;
  joinReports();
  const app = express().disable("x-powered-by").use(requestLog(env));
  const headers = bareHeaders(env);
  app.use((_request, response, next) => {
    response.setHeaders(new Headers(headers));
    next();
  });
  app.get("/healthz", (_request, response) => {
    response.set("Cache-Control", "no-store").json({ status: "ok" });
  });
  app.get("/metrics", async (request, response) => {
    const headers = { Authorization: request.headers.authorization ?? "" };
    try {
      const asked = new Request(env.siteUrl, request.headers.authorization ? { headers } : {});
      const metrics = await getMetricsText({ request: asked, withFacts: false });
      response.set("Cache-Control", "no-store").setHeaders(metrics.headers);
      response.send(await metrics.text());
    } catch (error) {
      sendProblem(response, problemOf(error));
    }
  });
  app.use((_request, response) =>
    sendProblem(response, { code: "not_found", detail: "There is nothing at this address." }),
  );
  const server = createHttpServer(app, httpLimits(env), headers);
  server.listen({ port: env.metricsPort, host: env.host ?? undefined });
  await once(server, "listening");
  return server;
}
