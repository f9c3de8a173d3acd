import { randomBytes } from "node:crypto";
import express, { type Router } from "express";
import { z } from "zod";
import { type AuthorizeRequest, readAuthorizeRequest } from "./authorize-request";
import type { Codes } from "./codes";
import { renderConsentPage } from "./consent-page";
import type { Faults, Provider } from "./faults";
import { idOf, PEOPLE, type Person } from "./people";

const decisionSchema = z.object({
  decision: z.enum(["allow", "deny"]),
  person: z.string().default(""),
  login: z.string().default(""),
  email: z.string().default(""),
  verified: z.string().default(""),
});

/** The consent page of one provider, at the path where the provider has it. */
export function authorizeRoutes(
  path: string,
  { provider, codes, faults }: { provider: Provider; codes: Codes; faults: Faults },
): Router {
  const router = express.Router();
  router.get(path, (request, response) => {
    const read = readAuthorizeRequest(provider, request.query);
    if ("problem" in read) return void response.status(400).type("text").send(read.problem);
    response.send(renderConsentPage(provider, read.request));
  });
  router.post(path, express.urlencoded({ extended: false }), (request, response) => {
    const read = readAuthorizeRequest(provider, request.body);
    const decision = decisionSchema.safeParse(request.body);
    if ("problem" in read || !decision.success)
      return void response.status(400).type("text").send("the request is not valid");
    response.redirect(302, decide(read.request, decision.data));
  });
  return router;

  function decide(asked: AuthorizeRequest, given: z.output<typeof decisionSchema>): string {
    const back = new URL(asked.redirect_uri);
    const fault = faults.take(provider, "consent");
    const state = fault === "wrong_state" ? randomBytes(20).toString("hex") : asked.state;
    back.searchParams.set("state", state);
    if (given.decision === "deny" || fault === "denied") {
      back.searchParams.set("error", "access_denied");
      return back.href;
    }
    const code = codes.issue({
      provider,
      clientId: asked.client_id,
      redirectUri: asked.redirect_uri,
      codeChallenge: asked.code_challenge,
      person: withFault(personOf(given), fault),
    });
    if (fault === "code_used") codes.use(code);
    if (fault !== "no_code") back.searchParams.set("code", code);
    return back.href;
  }
}

function withFault(person: Person, fault: string | null): Person {
  if (fault === "address_unverified") return { ...person, verified: false };
  if (fault === "address_changed") return { ...person, email: `new-${person.email}` };
  return person;
}

function personOf({ person, login, email, verified }: z.output<typeof decisionSchema>): Person {
  const known = PEOPLE.find((one) => one.login === person);
  if (known) return known;
  return { id: idOf(login), login, name: login, email, verified: verified === "yes" };
}
