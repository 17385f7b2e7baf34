import { BlockList, isIP, isIPv4 } from "node:net"

const blocked = new BlockList()
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Looks public, but is how every virtual machine of one provider reaches the machine below it.
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  blocked.addSubnet(network, prefix, "ipv4")
}
for (const [network, prefix] of [
  // Set aside for protocols, Teredo and ORCHID among them.
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  blocked.addSubnet(network, prefix, "ipv6")
}

// Only this eighth of IPv6 was ever given out; the rest is loopback, IPv4 in disguise, local, multicast or nobody's.
const globalUnicast = new BlockList()
globalUnicast.addSubnet("2000::", 3, "ipv6")

/** Whether an address can be reached from everywhere: not of this machine, its network, or reserved for something else. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, "")
  if (isIP(bare) === 0) return false
  if (isIPv4(bare)) return !blocked.check(bare, "ipv4")
  const mapped = mappedIPv4(bare)
  if (mapped !== undefined) return !blocked.check(mapped, "ipv4")
  return globalUnicast.check(bare, "ipv6") && !blocked.check(bare, "ipv6")
}

/** The IPv4 address in ::ffff:a.b.c.d, in any spelling. */
function mappedIPv4(address: string): string | undefined {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const found = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (!found) return undefined
  const [high, low] = [Number.parseInt(found[1]!, 16), Number.parseInt(found[2]!, 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join(".")
}

/** Whether dialling an address reaches this machine itself; a name is no address. */
export function isLoopback(address: string): boolean {
  const bare = address.replace(/%.*$/, "")
  if (isIP(bare) === 0) return false
  const mapped = isIPv4(bare) ? bare : mappedIPv4(bare)
  return mapped === undefined ? loopback.check(bare, "ipv6") : loopback.check(mapped, "ipv4")
}

const loopback = new BlockList()
loopback.addSubnet("127.0.0.0", 8, "ipv4")
loopback.addSubnet("0.0.0.0", 8, "ipv4")
loopback.addSubnet("::", 127, "ipv6")
