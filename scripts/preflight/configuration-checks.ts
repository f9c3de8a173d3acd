import { checkCapabilities } from "./capability-checks";
import type { Check } from "./check";
import type { Configuration } from "./configuration";
import { checkPayments } from "./payment-checks";
import { checkCronSecret, checkMetricsSecret, checkService } from "./service-checks";
import { checkSeller, checkSupport } from "./site-checks";
import { checkStorage } from "./storage-checks";
import { checkTls } from "./tls-checks";

/** Returns every check that needs only the configuration, in the report's order. Connects to nothing. */
export function checkConfiguration(configuration: Configuration): Check[] {
  return [
    ...checkService(configuration),
    checkSupport(configuration),
    checkSeller(configuration),
    ...checkTls(configuration),
    checkCronSecret(configuration),
    checkMetricsSecret(configuration),
    ...checkPayments(configuration),
    ...checkStorage(configuration),
    ...checkCapabilities(configuration),
  ];
}
