/** The notations in which the address of a client arrives. */
import { expect, it } from "vitest";
import { cutPort, unmapAddress } from "../../src/lib/ip-address.ts";

it.each([
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:192.0.2.1", "192.0.2.1"],
  ["::ffff:c000:201", "192.0.2.1"],
  ["0:0:0:0:0:FFFF:C000:0201", "192.0.2.1"],
  ["::ffff:0.0.0.0", "0.0.0.0"],
  ["::ffff:255.255.255.255", "255.255.255.255"],
])("%s is %s", (address, plain) => expect(unmapAddress(address)).toBe(plain));

it.each([
  "192.0.2.1",
  "2001:db8::1",
  "::1",
  "::192.0.2.1",
  "64:ff9b::192.0.2.1",
  "::ffff:0:192.0.2.1",
  "fe80::1%eth0",
  "::ffff:192.0.2.1%eth0",
  "::ffff:192.0.2.256",
  "",
  "localhost",
])("%j stays unchanged", (address) => expect(unmapAddress(address)).toBe(address));

it.each([
  ["8.8.4.4:54321", "8.8.4.4"],
  ["::ffff:8.8.4.4:54321", "8.8.4.4"],
  ["::FFFF:8.8.4.4:54321", "8.8.4.4"],
  ["8.8.4.4:", "8.8.4.4"],
  ["[2001:db8::1]:54321", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ['"[2001:db8::1]:443"', "2001:db8::1"],
  ["[::ffff:192.0.2.1]:443", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["[fe80::1%eth0]:443", "fe80::1%eth0"],
  ["2001:DB8:0:0:0:0:0:000A", "2001:db8::a"],
  ["[2001:DB8::A]:443", "2001:db8::a"],
])("%s without its port is %s", (address, plain) => expect(cutPort(address)).toBe(plain));

it.each([
  "8.8.4.4",
  "2001:db8::1",
  "2001:db8::1:443",
  "8.8.4.4:http",
  "8.8.4.4:1:2",
  "[2001:db8::1]443",
  "unknown",
  "_hidden:5",
  "localhost:5",
  "",
])("%j has no port to cut", (address) => expect(cutPort(address)).toBe(address));
