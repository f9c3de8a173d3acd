import ipaddr from "ipaddr.js";

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** The IPv6 prefixes that are counted, each with a multiple of one visitor's limit. */
const IPV6_PREFIXES = [
  { bits: 64, scale: 1 },
  { bits: 56, scale: 4 },
  { bits: 48, scale: 20 },
];

/** A network that a limit is counted for. */
export interface CountedNetwork {
  network: string;
  /** Factor on one visitor's limit. */
  scale: number;
}

/**
 * The networks that a request from this address counts towards, narrowest first. For IPv4 it is the
 * address alone. An IPv6 customer holds a /64, and often a whole /56 or /48 with 256 or 65,536 of them,
 * so those are counted too, with higher limits.
 */
export function networksOf(forwarded: string): CountedNetwork[] {
  const ip = parseAddress(forwarded);
  if (!(ip instanceof ipaddr.IPv6)) return [{ network: networkOf(forwarded), scale: 1 }];
  return IPV6_PREFIXES.map(({ bits, scale }) => ({ network: prefixOf(ip, bits), scale }));
}

/** Networks of addresses seen lately: every request asks, and parsing takes 5 to 15 µs. */
const recent = new Map<string, string>();
const MAX_RECENT = 1_000;
/** Characters of an address with its port. One with an IPv6 zone can be of any length. */
const MAX_KEY_LENGTH = 56;

/**
 * The network that counts as one visitor in a limit: an IPv4 address, or the /64 of an IPv6 customer.
 * Text that isn't an address is returned unchanged.
 */
export function networkOf(forwarded: string): string {
  const known = recent.get(forwarded);
  if (known !== undefined) return known;
  const ip = parseAddress(forwarded);
  if (!ip) return withoutPort(forwarded);
  const network = ip instanceof ipaddr.IPv6 ? prefixOf(ip, 64) : ip.toString();
  if (forwarded.length > MAX_KEY_LENGTH) return network;
  if (recent.size >= MAX_RECENT) recent.clear();
  recent.set(forwarded, network);
  return network;
}

function parseAddress(forwarded: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const address = withoutPort(forwarded);
  return ipaddr.isValid(address) ? ipaddr.process(address) : null;
}

function prefixOf(ip: ipaddr.IPv6, bits: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip.toNormalizedString()}/${bits}`)}/${bits}`;
}

/**
 * Some proxies forward `1.2.3.4:5678` or `[::1]:5678`; with the port each connection would count as a
 * new visitor.
 */
function withoutPort(address: string): string {
  const [, bracketed, dotted] =
    /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(address) ?? [];
  return bracketed ?? dotted ?? address;
}

/**
 * Whether an address belongs to the public internet. Excluded are private, loopback, link-local,
 * shared, multicast and reserved ranges, and ranges that embed an IPv4 address (mapped, NAT64, 6to4,
 * Teredo), because they may lead to any of these.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.parse(address);
  if (ip.range() !== "unicast") return false;
  // IPv6 addresses outside 2000::/3 are unassigned, and some have an old meaning (::127.0.0.1).
  return ip instanceof ipaddr.IPv4 || ip.match(GLOBAL_UNICAST);
}

/** Whether an address is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}
