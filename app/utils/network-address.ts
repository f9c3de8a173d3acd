import ipaddr from "ipaddr.js";

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * What counts as one visitor in a limit: an IPv4 address, or the /64 that an IPv6 customer holds
 * whole. Anything that is no address is returned as it came.
 */
export function networkOf(forwarded: string): string {
  const address = withoutPort(forwarded);
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address);
  if (ip instanceof ipaddr.IPv4) return ip.toString();
  return `${ip.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/** Some proxies forward `1.2.3.4:5678` or `[::1]:5678`; each connection would be another visitor. */
function withoutPort(address: string): string {
  const [, bracketed, dotted] =
    /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(address) ?? [];
  return bracketed ?? dotted ?? address;
}

/**
 * Whether an address belongs to the public internet. Everything set apart for something else does
 * not: private, loopback, link-local, shared, multicast and reserved ranges, and those that carry an
 * IPv4 address inside (mapped, NAT64, 6to4, Teredo), which may lead to any of them.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.parse(address);
  if (ip.range() !== "unicast") return false;
  // IPv6 addresses outside 2000::/3 belong to nobody, and some have an old meaning (::127.0.0.1).
  return ip instanceof ipaddr.IPv4 || ip.match(GLOBAL_UNICAST);
}

/** Whether an address is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}
