import { getEnv } from "~/env.server";
import { apiRoute } from "~/server/request/api-route.server";
import { publicText, securityTxt } from "~/server/site/security-txt.server";

/** Names the contact for vulnerability reports (RFC 9116). */
const route = apiRoute({
  GET() {
    const { securityContact, siteUrl } = getEnv();
    return publicText(securityTxt({ contact: securityContact, siteUrl, now: new Date() }));
  },
});

export const loader = route.loader;
