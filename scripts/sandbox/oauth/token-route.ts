import express, { type Router } from "express";
import { z } from "zod";
import { clientIdOf, isClient } from "./clients";
import type { Codes } from "./codes";
import type { Faults, Provider } from "./faults";
import { showFault } from "./show-fault";

const tradeSchema = z.object({
  grant_type: z.literal("authorization_code"),
  code: z.string(),
  redirect_uri: z.string(),
  code_verifier: z.string().min(43),
});

/** Trades a code for an access token. GitHub refuses a code with status 200, Google with 400. */
export function tokenRoute(
  path: string,
  { provider, codes, faults }: { provider: Provider; codes: Codes; faults: Faults },
): Router {
  const router = express.Router();
  router.post(path, express.urlencoded({ extended: false }), async (request, response) => {
    if (await showFault(faults.take(provider, "token"), response)) return;
    if (!isClient(provider, request.get("Authorization")))
      return void response.status(401).json({ error: "invalid_client" });
    const trade = tradeSchema.safeParse(request.body);
    const accessToken = trade.success
      ? codes.trade({
          code: trade.data.code,
          codeVerifier: trade.data.code_verifier,
          provider,
          clientId: clientIdOf(provider),
          redirectUri: trade.data.redirect_uri,
        })
      : null;
    if (accessToken)
      return void response.json({ access_token: accessToken, token_type: "bearer", scope: "" });
    if (provider === "github") response.json({ error: "bad_verification_code" });
    else response.status(400).json({ error: "invalid_grant" });
  });
  return router;
}
