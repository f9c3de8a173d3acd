import ipaddr from "ipaddr.js";

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** The prefixes that IPv6 is counted by, and how many times one visitor's limit each has. */
const IPV6_PREFIXES = [
  { bits: 64, scale: 1 },
  { bits: 56, scale: 4 },
  { bits: 48, scale: 20 },
];

/** A network that a limit is counted for. */
interface CountedNetwork {
  network: string;
  /** One visitor's limit is multiplied by this. */
  scale: number;
}

/**
 * The networks that a request from this address counts for, narrowest first. An IPv4 address is one.
 * An IPv6 customer holds a /64 and often a whole /56 or /48, which have 256 and 65,536 of them, so
 * these are counted too, with higher limits.
 */
export function networksOf(forwarded: string): CountedNetwork[] {
  const ip = parseAddress(forwarded);
  if (!(ip instanceof ipaddr.IPv6)) return [{ network: networkOf(forwarded), scale: 1 }];
  return IPV6_PREFIXES.map(({ bits, scale }) => ({ network: prefixOf(ip, bits), scale }));
}

/**
 * What counts as one visitor in a limit: an IPv4 address, or the /64 that an IPv6 customer holds
 * whole. Anything that is no address is returned as it came.
 */
export function networkOf(forwarded: string): string {
  const ip = parseAddress(forwarded);
  if (!ip) return withoutPort(forwarded);
  return ip instanceof ipaddr.IPv6 ? prefixOf(ip, 64) : ip.toString();
}

function parseAddress(forwarded: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const address = withoutPort(forwarded);
  return ipaddr.isValid(address) ? ipaddr.process(address) : null;
}

function prefixOf(ip: ipaddr.IPv6, bits: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip.toNormalizedString()}/${bits}`)}/${bits}`;
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
