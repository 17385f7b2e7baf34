/** The few shapes of ASN.1 (X.690, DER) that a certificate is made of, as bytes. */

/** One value: its tag, how long it is, and its content. */
export function value(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(body.length)]), body])
}

/** Values in their order. */
export function sequence(...members: readonly Uint8Array[]): Buffer {
  return value(0x30, ...members)
}

/** A number that is not negative, from its bytes. */
export function integer(bytes: Uint8Array): Buffer {
  // A first bit that is set would mean a number below zero.
  return value(0x02, bytes[0]! > 0x7f ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

/** The number of a kind of thing, for instance `2.5.29.17`. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number)
  return value(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** Whole bytes as a string of bits. */
export function bits(bytes: Uint8Array, unused = 0): Buffer {
  return value(0x03, Buffer.from([unused]), bytes)
}

/** Bytes as they are. */
export function octets(bytes: Uint8Array): Buffer {
  return value(0x04, bytes)
}

/** Words. */
export function words(text: string): Buffer {
  return value(0x0c, Buffer.from(text, "utf8"))
}

/** A moment before the year 2050, in whole seconds. */
export function moment(date: Date): Buffer {
  const digits = date
    .toISOString()
    .replace(/\.\d+Z$/, "")
    .replace(/\D/g, "")
    .slice(2)
  return value(0x17, Buffer.from(`${digits}Z`, "latin1"))
}

/** True; false is said by leaving it out. */
export const yes = value(0x01, Buffer.from([0xff]))

function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length]
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff)
  return [0x80 | bytes.length, ...bytes]
}

function base128(number: number): readonly number[] {
  const bytes = [number & 0x7f]
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}
