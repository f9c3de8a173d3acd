import ipaddr from "ipaddr.js";

/**
 * What counts as one visitor in a limit: an IPv4 address, or the /64 that an IPv6 customer holds
 * whole. Anything that is no address is returned as it came.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address);
  if (ip instanceof ipaddr.IPv4) return ip.toString();
  return `${ip.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
