import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isLoopback, isPublicAddress } from "./public-address.js"

const inner = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "100.64.0.1",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "168.63.129.16",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.8",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::7f00:1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:10.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::7f00:1",
  "::ffff:0:7f00:1",
  "100::1",
  "2001::1",
  "2001:20::1",
  "2001:db8::1",
  "4000::1",
  "5f00::1",
  "2002:7f00:1::",
  "3fff::1",
  "fc00::1",
  "fd12:3456::1",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "not an address",
  "",
]
const outer = [
  "1.1.1.1",
  "8.8.8.8",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.0.1",
  "172.32.0.1",
  "192.0.1.1",
  "2606:4700::1111",
  "2a00:1450::1",
  "::ffff:8.8.8.8",
]

describe("[C2-88] addresses", () => {
  test.each(inner)("%s is not public", (address) => expect(isPublicAddress(address)).toBe(false))
  test.each(outer)("%s is public", (address) => expect(isPublicAddress(address)).toBe(true))

  test("an IPv4 address inside an IPv6 one is judged like itself", () => {
    fc.assert(fc.property(fc.ipV4(), (address) => isPublicAddress(`::ffff:${address}`) === isPublicAddress(address)))
  })

  test("addresses of this machine are recognised in every spelling", () => {
    for (const address of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::"])
      expect(isLoopback(address)).toBe(true)
    for (const address of ["128.0.0.1", "::2", "10.0.0.1"]) expect(isLoopback(address)).toBe(false)
  })
})
