import fc from "fast-check";
import { expect, test } from "vitest";
import { isLoopbackAddress, isPublicAddress, networkOf, networksOf } from "~/utils/network-address";

test.each(["8.8.8.8", "93.184.216.34", "2606:4700::1111", "2001:4860:4860::8888"])(
  "%s is public",
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each([
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.1",
  "192.0.2.1",
  "192.168.0.1",
  "198.18.0.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::7f00:1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:8.8.8.8",
  "64:ff9b::169.254.169.254",
  "64:ff9b:1::a00:1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:a00:1::",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "4000::1",
  "not an address",
  "",
])("%s is not public", (address) => expect(isPublicAddress(address)).toBe(false));

test("no IPv6 form that embeds an IPv4 address is public", () => {
  const byte = fc.nat(255);
  fc.assert(
    fc.property(byte, byte, byte, byte, (a, b, c, d) => {
      const hex = [a * 256 + b, c * 256 + d].map((part) => part.toString(16)).join(":");
      for (const form of [`::${hex}`, `::ffff:${hex}`, `64:ff9b::${hex}`, `2002:${hex}::`])
        expect(isPublicAddress(form), form).toBe(false);
    }),
  );
});

test.each(["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])("%s is this machine", (address) =>
  expect(isLoopbackAddress(address)).toBe(true),
);

test.each(["10.0.0.1", "169.254.169.254", "0.0.0.0", "::", "localhost"])(
  "%s is not this machine's own address",
  (address) => expect(isLoopbackAddress(address)).toBe(false),
);

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
  ["::1", "::/64"],
  ["203.0.113.7:5000", "203.0.113.7"],
  ["[2001:db8:1:2::9]:5000", "2001:db8:1:2::/64"],
  ["[2001:db8:1:2::9]", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80::/64"],
  ["unknown", "unknown"],
])("%s counts as the visitor %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ["203.0.113.7:5000", [{ network: "203.0.113.7", scale: 1 }]],
  ["::ffff:203.0.113.7", [{ network: "203.0.113.7", scale: 1 }]],
  ["unknown", [{ network: "unknown", scale: 1 }]],
  [
    "[2001:db8:1:2fa3:4:5:6:7]:5000",
    [
      { network: "2001:db8:1:2fa3::/64", scale: 1 },
      { network: "2001:db8:1:2f00::/56", scale: 4 },
      { network: "2001:db8:1::/48", scale: 20 },
    ],
  ],
])("%s is counted for the networks %j", (address, networks) => {
  expect(networksOf(address)).toEqual(networks);
});

test("an address's network is the same each time, among thousands of others, too", () => {
  const addresses = Array.from({ length: 2_500 }, (_, n) => `10.0.${n >> 8}.${n & 255}`);
  for (const _ of [1, 2]) for (const address of addresses) expect(networkOf(address)).toBe(address);
  expect(networkOf("10.0.0.1:443")).toBe("10.0.0.1");
});
