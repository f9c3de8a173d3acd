import type { PageHandle } from "~/components/page-handle";
import { getEnv } from "~/env.server";
import { apiRoute } from "~/server/request/api-route.server";
import { publicText, requireContact } from "~/server/site/security-txt.server";
import policy from "../../SECURITY.md?raw";

export const handle: PageHandle = { sameForAll: true };

/** Serves SECURITY.md at the address that `security.txt` gives as the policy. */
const route = apiRoute({
  GET() {
    requireContact(getEnv().securityContact);
    return publicText(policy);
  },
});

export const loader = route.loader;
