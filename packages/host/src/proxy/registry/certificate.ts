import { createHash, type KeyObject, randomBytes, sign } from "node:crypto"
import { isIPv4, isIPv6 } from "node:net"

/** The few shapes of ASN.1 (X.690, DER) that a certificate is made of, as bytes. */

/** One value: its tag, how long it is, and its content. */
function value(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(body.length)]), body])
}

/** Values in their order. */
function sequence(...members: readonly Uint8Array[]): Buffer {
  return value(0x30, ...members)
}

/** A number that is not negative, from its bytes. */
function integer(bytes: Uint8Array): Buffer {
  // A first bit that is set would mean a number below zero.
  return value(0x02, bytes[0]! > 0x7f ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

/** The number of a kind of thing, for instance `2.5.29.17`. */
function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number)
  return value(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** Whole bytes as a string of bits. */
function bits(bytes: Uint8Array, unused = 0): Buffer {
  return value(0x03, Buffer.from([unused]), bytes)
}

/** Bytes as they are. */
function octets(bytes: Uint8Array): Buffer {
  return value(0x04, bytes)
}

function words(text: string): Buffer {
  return value(0x0c, Buffer.from(text, "utf8"))
}

/** A moment before the year 2050, in whole seconds. */
function moment(date: Date): Buffer {
  const digits = date
    .toISOString()
    .replace(/\.\d+Z$/, "")
    .replace(/\D/g, "")
    .slice(2)
  return value(0x17, Buffer.from(`${digits}Z`, "latin1"))
}

/** True; false is said by leaving it out. */
const yes = value(0x01, Buffer.from([0xff]))

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

/** What a certificate says (RFC 5280). */
export interface CertificateRequest {
  readonly subject: string
  readonly publicKey: KeyObject
  readonly issuer: { readonly subject: string; readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  /** The host it is for; without one it is an authority's own. */
  readonly host?: string
  readonly from: Date
  readonly until: Date
}

/** Makes and signs a certificate for a P-256 key; PEM text. */
export function makeCertificate(request: CertificateRequest): string {
  const { subject, publicKey, issuer, from, until } = request
  const body = sequence(
    value(0xa0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    signatureKind,
    nameOf(issuer.subject),
    sequence(moment(from), moment(until)),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    value(0xa3, sequence(...extensionsOf(request))),
  )
  const whole = sequence(body, signatureKind, bits(sign("sha256", body, issuer.privateKey)))
  const lines = whole.toString("base64").match(/.{1,64}/g)!
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`
}

const signatureKind = sequence(objectId("1.2.840.10045.4.3.2"))

function extensionsOf({ host, publicKey, issuer }: CertificateRequest): readonly Buffer[] {
  const own = extension("2.5.29.14", octets(keyId(publicKey)))
  if (host === undefined) {
    // An authority that signs hosts and no further authorities.
    const basics = extension("2.5.29.19", sequence(yes, integer(Buffer.from([0]))), yes)
    return [basics, extension("2.5.29.15", bits(Buffer.from([0x06]), 1), yes), own]
  }
  return [
    extension("2.5.29.15", bits(Buffer.from([0x80]), 7), yes),
    extension("2.5.29.37", sequence(objectId("1.3.6.1.5.5.7.3.1"))),
    extension("2.5.29.17", sequence(alternativeName(host))),
    extension("2.5.29.35", sequence(value(0x80, keyId(issuer.publicKey)))),
    own,
  ]
}

function extension(id: string, content: Uint8Array, critical?: Uint8Array): Buffer {
  return sequence(objectId(id), ...(critical ? [critical] : []), octets(content))
}

function nameOf(commonName: string): Buffer {
  return sequence(value(0x31, sequence(objectId("2.5.4.3"), words(commonName))))
}

function alternativeName(host: string): Buffer {
  if (isIPv4(host)) return value(0x87, Buffer.from(host.split(".").map(Number)))
  if (isIPv6(host)) return value(0x87, ipv6Bytes(host))
  return value(0x82, Buffer.from(host, "latin1"))
}

/** The bytes of an address as `hostName` spells it, without an IPv4 part. */
function ipv6Bytes(host: string): Buffer {
  const [left, right] = host.split("::").map((part) => (part === "" ? [] : part.split(":")))
  const missing = Array<string>(8 - left!.length - (right?.length ?? 0)).fill("0")
  const groups = [...left!, ...missing, ...(right ?? [])]
  return Buffer.from(groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]))
}

/** Any value that names the key (RFC 5280, 4.2.1.2). */
function keyId(key: KeyObject): Buffer {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest()
    .subarray(0, 20)
}

/** Positive and never of less bytes than it seems. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = (bytes[0]! & 0x3f) | 0x40
  return bytes
}
