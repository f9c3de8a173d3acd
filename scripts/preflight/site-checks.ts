import { readActiveMode } from "~/env/payment-warnings";
import { isLocalHost } from "~/env.server";
import { LEGAL_PAGES, listLegalTemplates } from "~/server/site/legal-texts.server";
import { type Check, fault, found, pass, skip, warning } from "./check";
import { type Configuration, findingsOf } from "./configuration";

/** Whether real money is paid here. A key that shows no mode counts as live on a public site. */
function takesMoney({ env: { payments, siteUrl } }: Configuration): boolean {
  const isPublic = siteUrl !== null && !isLocalHost(siteUrl.hostname);
  const isOn = payments.enabled && payments.provider !== null;
  return isOn && isPublic && readActiveMode(payments) !== "test";
}

/** Whether customers can reach somebody. */
export function checkSupport(configuration: Configuration): Check {
  const id = "site.support";
  const findings = findingsOf(configuration, id);
  const { support, nodeEnv } = configuration.env;
  const ways = [support.email, support.url].filter((way) => way !== null);
  if (findings.length > 0) return found(id, findings);
  if (ways.length > 0) return pass(id, `customers are led to ${ways.join(" and ")}`);
  if (nodeEnv !== "production") return skip(id, "this is not a production server");
  const blame = takesMoney(configuration) ? fault : warning;
  const message =
    "SUPPORT_EMAIL and SUPPORT_URL are not set: customers can reach nobody, about a payment either";
  return found(id, [blame(message, "set at least one of them")]);
}

/** Whether receipts name the seller. Creem sells in its own name. */
export function checkSeller(configuration: Configuration): Check {
  const id = "site.seller";
  const findings = findingsOf(configuration, id);
  const { seller, nodeEnv, payments } = configuration.env;
  if (findings.length > 0) return found(id, findings);
  if (nodeEnv !== "production") return skip(id, "this is not a production server");
  if (payments.provider === "creem") return pass(id, "Creem sells in its own name");
  if (seller && seller.address.length > 0) return pass(id, `receipts name ${seller.name}`);
  if (!takesMoney(configuration)) return skip(id, "no money is taken here");
  const message = "SELLER_NAME and SELLER_ADDRESS are not both set: receipts don't say who sold";
  return found(id, [warning(message, "set them to your business's name and address")]);
}

/** Whether the legal pages have texts of the shop's own. Looks at the texts that the program was built with. */
export function checkLegal(
  configuration: Configuration,
  templates: string[] = listLegalTemplates(),
): Check {
  const id = "site.legal";
  if (configuration.env.nodeEnv !== "production")
    return skip(id, "this is not a production server");
  if (templates.length === 0) return pass(id, `${LEGAL_PAGES.join(", ")} have texts of your own`);
  const blame = takesMoney(configuration) ? fault : warning;
  const message = `${templates.join(", ")} still have the text that came with the software`;
  return found(id, [blame(message, "replace the texts of the part legal in app/i18n/locales/")]);
}
