import express, { type Express } from "express";
import { z } from "zod";
import { serveLocally } from "../serve-locally";
import { authorizeRoutes } from "./authorize-routes";
import { clientIdOf, clientSecretOf } from "./clients";
import { createCodes } from "./codes";
import { createFaults, faultOrderSchema } from "./faults";
import { githubPersonRoutes, googlePersonRoutes } from "./person-routes";
import { tokenRoute } from "./token-route";

export interface OauthSandbox {
  /** Values of the app's variables to use both stand-ins. */
  env: Record<
    | `${"GITHUB" | "GOOGLE"}_CLIENT_${"ID" | "SECRET"}`
    | "GITHUB_OAUTH_BASE"
    | "GITHUB_API_BASE"
    | "GOOGLE_OAUTH_BASE",
    string
  >;
  /** POST /faults orders a fault (`{provider, fault, times?}`), POST /reset forgets all. */
  controlUrl: string;
  stop(): Promise<void>;
}

/** Starts stand-ins for the sign-in of GitHub and Google on this machine, with their own paths. */
export async function startOauthSandbox({ port }: { port: number }): Promise<OauthSandbox> {
  const { url, stop } = await serveLocally(port, createApp);
  return {
    env: {
      GITHUB_CLIENT_ID: clientIdOf("github"),
      GITHUB_CLIENT_SECRET: clientSecretOf("github"),
      GITHUB_OAUTH_BASE: `${url}/github`,
      GITHUB_API_BASE: `${url}/github/api`,
      GOOGLE_CLIENT_ID: clientIdOf("google"),
      GOOGLE_CLIENT_SECRET: clientSecretOf("google"),
      GOOGLE_OAUTH_BASE: `${url}/google`,
    },
    controlUrl: `${url}/control`,
    stop,
  };
}

function createApp(): Express {
  const codes = createCodes();
  const faults = createFaults();
  const github = { provider: "github", codes, faults } as const;
  const google = { provider: "google", codes, faults } as const;
  const app = express();
  app.disable("x-powered-by");
  app.use("/github", authorizeRoutes("/login/oauth/authorize", github));
  app.use("/github", tokenRoute("/login/oauth/access_token", github));
  app.use("/github", githubPersonRoutes(github));
  app.use("/google", authorizeRoutes("/o/oauth2/v2/auth", google));
  app.use("/google", tokenRoute("/token", google));
  app.use("/google", googlePersonRoutes(google));
  app.post("/control/faults", express.json(), (request, response) => {
    const order = faultOrderSchema.safeParse(request.body);
    if (!order.success)
      return void response.status(400).json({ error: z.prettifyError(order.error) });
    faults.order(order.data);
    response.sendStatus(204);
  });
  app.post("/control/reset", (_request, response) => {
    faults.reset();
    response.sendStatus(204);
  });
  return app;
}
