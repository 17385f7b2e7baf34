/** What the first bytes of a connection say about the name that a TLS client asks for. */
export type Greeting =
  | { readonly kind: "incomplete" }
  /** Not TLS at all. */
  | { readonly kind: "other" }
  | { readonly kind: "hello"; readonly name: string | undefined }

/** Reads the server name from a TLS ClientHello; anything that is cut or odd is "incomplete" or has no name. */
export function readClientHello(bytes: Buffer): Greeting {
  if (bytes.length < 1 || bytes[0] !== 0x16) return bytes.length < 1 ? { kind: "incomplete" } : { kind: "other" }
  if (bytes.length < 3) return { kind: "incomplete" }
  if (bytes[1] !== 3) return { kind: "other" }
  const message = joinRecords(bytes)
  if (message === undefined)
    return bytes.length > maxHello ? { kind: "hello", name: undefined } : { kind: "incomplete" }
  return { kind: "hello", name: nameIn(message) }
}

/** Larger ones do not occur; a client that sends one gets no further. */
export const maxHello = 32 * 1024

/** The first handshake message, which may be spread over several records; undefined until all of it is there. */
function joinRecords(bytes: Buffer): Buffer | undefined {
  const pieces: Buffer[] = []
  let have = 0
  for (let at = 0; at + 5 <= bytes.length; ) {
    if (bytes[at] !== 0x16) return Buffer.alloc(0)
    const length = bytes.readUInt16BE(at + 3)
    pieces.push(bytes.subarray(at + 5, at + 5 + length))
    have += Math.min(length, bytes.length - at - 5)
    at += 5 + length
    const joined = Buffer.concat(pieces)
    if (have >= 4 && joined[0] !== 1) return Buffer.alloc(0)
    if (have >= 4 && have >= 4 + joined.readUIntBE(1, 3)) return joined.subarray(4, 4 + joined.readUIntBE(1, 3))
  }
  return undefined
}

function nameIn(hello: Buffer): string | undefined {
  try {
    let at = 34
    at += 1 + hello.readUInt8(at)
    at += 2 + hello.readUInt16BE(at)
    at += 1 + hello.readUInt8(at)
    const end = at + 2 + hello.readUInt16BE(at)
    at += 2
    while (at + 4 <= end) {
      const type = hello.readUInt16BE(at)
      const length = hello.readUInt16BE(at + 2)
      if (type === 0) {
        const nameLength = hello.readUInt16BE(at + 7)
        const name = hello.subarray(at + 9, at + 9 + nameLength)
        return name.length === nameLength && hello[at + 6] === 0 ? name.toString("latin1").toLowerCase() : undefined
      }
      at += 4 + length
    }
  } catch {
    // Shorter than it says.
  }
  return undefined
}
