import { checkCapabilities } from "./capability-checks";
import type { Check } from "./check";
import type { Configuration } from "./configuration";
import { checkPayments } from "./payment-checks";
import { checkCronSecret, checkService } from "./service-checks";
import { checkStorage } from "./storage-checks";
import { checkTls } from "./tls-checks";

/** Every check that the configuration alone answers, in the report's order. Asks nobody. */
export function checkConfiguration(configuration: Configuration): Check[] {
  return [
    ...checkService(configuration),
    ...checkTls(configuration),
    checkCronSecret(configuration),
    ...checkPayments(configuration),
    ...checkStorage(configuration),
    ...checkCapabilities(configuration),
  ];
}
