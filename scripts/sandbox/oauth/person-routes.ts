import express, { type Request, type Response, type Router } from "express";
import type { Codes } from "./codes";
import type { Faults, Provider } from "./faults";
import type { Person } from "./people";
import { showFault } from "./show-fault";

interface Parts {
  codes: Codes;
  faults: Faults;
}

/** GitHub's user and their addresses; nobody has verified the one on the profile. */
export function githubPersonRoutes(parts: Parts): Router {
  const router = express.Router();
  router.get("/api/user", async (request, response) => {
    const fault = parts.faults.take("github", "person");
    if (await showFault(fault, response)) return;
    sendPerson(request, response, { provider: "github", ...parts }, ({ id, login, name }) => ({
      ...(fault === "no_id" ? {} : { id }),
      login,
      name,
      email: "shown-on-profile@example.com",
    }));
  });
  router.get("/api/user/emails", (request, response) => {
    sendPerson(request, response, { provider: "github", ...parts }, ({ email, verified }) => [
      { email: `other-${email}`, primary: false, verified: true },
      { email, primary: true, verified },
    ]);
  });
  return router;
}

export function googlePersonRoutes(parts: Parts): Router {
  const router = express.Router();
  router.get("/v1/userinfo", async (request, response) => {
    const fault = parts.faults.take("google", "person");
    if (await showFault(fault, response)) return;
    sendPerson(request, response, { provider: "google", ...parts }, (person) => ({
      ...(fault === "no_id" ? {} : { sub: `10${person.id}` }),
      name: person.name,
      email: person.email,
      email_verified: person.verified,
    }));
  });
  return router;
}

/** Sends what `describe` makes of the access token's person; 401 for a token of nobody. */
function sendPerson(
  request: Request,
  response: Response,
  { provider, codes }: { provider: Provider; codes: Codes },
  describe: (person: Person) => unknown,
): void {
  const token = request.get("Authorization")?.replace(/^Bearer /, "") ?? "";
  const person = codes.personOf(provider, token);
  if (person) response.json(describe(person));
  else response.status(401).json({ message: "Bad credentials" });
}
