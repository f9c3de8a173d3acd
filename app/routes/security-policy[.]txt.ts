import { getEnv } from "~/env.server";
import { apiRoute } from "~/server/api-route.server";
import { publicText, requireContact } from "~/server/security-txt.server";
import policy from "../../SECURITY.md?raw";

/** SECURITY.md, where `security.txt` says that it is. */
const route = apiRoute({
  GET() {
    requireContact(getEnv().securityContact);
    return publicText(policy);
  },
});

export const loader = route.loader;
