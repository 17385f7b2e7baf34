const separator = "____"
/** Providers take names of up to 64 characters; LobeHub stays below. */
const maxLength = 64

/** The name of an API as LobeHub sends it to models. */
export function lobeName(identifier: string, api: string): string {
  return `${identifier}${separator}${api}`
}

/** The same within the length that providers take: a long API name becomes its hash, then the identifier too. */
export function wireName(name: string): string {
  if (name.length < maxLength) return name
  const [identifier, api] = partsOf(name)
  const short = lobeName(identifier, hashed(api))
  return short.length < maxLength ? short : lobeName(hashed(identifier), hashed(api))
}

/** The identifier and the API of a name. */
export function partsOf(name: string): readonly [identifier: string, api: string] {
  const at = name.indexOf(separator)
  return at < 0 ? [name, ""] : [name.slice(0, at), name.slice(at + separator.length)]
}

function hashed(name: string): string {
  return `MD5HASH_${md5(name).slice(0, 12)}`
}

/**
 * MD5 of a text as 32 hexadecimal digits. Only for names: LobeHub shortens long ones with it, and the same name must
 * come out here. It protects nothing.
 */
export function md5(text: string): string {
  const bytes = padded(new TextEncoder().encode(text))
  const words = new DataView(bytes.buffer)
  let state: State = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (let block = 0; block < bytes.length; block += 64) {
    const mixed = mix(state, (index) => words.getUint32(block + 4 * index, true))
    state = state.map((value, index) => (value + mixed[index]!) >>> 0) as State
  }
  return state.map(littleEndian).join("")
}

type State = [number, number, number, number]

const shifts = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const
const sines = Array.from({ length: 64 }, (_, index) => Math.floor(Math.abs(Math.sin(index + 1)) * 2 ** 32))

function mix([a, b, c, d]: State, word: (index: number) => number): State {
  for (let step = 0; step < 64; step += 1) {
    const round = step >> 4
    const [value, index] = roundValue(round, step, [b, c, d])
    const sum = (a + value + sines[step]! + word(index)) >>> 0
    const shift = shifts[round]![step % 4]!
    const rotated = ((sum << shift) | (sum >>> (32 - shift))) >>> 0
    ;[a, d, c, b] = [d, c, b, (b + rotated) >>> 0]
  }
  return [a, b, c, d]
}

function roundValue(round: number, step: number, [b, c, d]: readonly [number, number, number]): [number, number] {
  if (round === 0) return [(b & c) | (~b & d), step]
  if (round === 1) return [(d & b) | (~d & c), (5 * step + 1) % 16]
  if (round === 2) return [b ^ c ^ d, (3 * step + 5) % 16]
  return [c ^ (b | ~d), (7 * step) % 16]
}

/** A one bit, zeros up to a block less eight bytes, then the length in bits. */
function padded(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array((((bytes.length + 8) >> 6) + 1) * 64)
  whole.set(bytes)
  whole[bytes.length] = 0x80
  new DataView(whole.buffer).setBigUint64(whole.length - 8, BigInt(bytes.length) * 8n, true)
  return whole
}

function littleEndian(value: number): string {
  const digits = value.toString(16).padStart(8, "0")
  return digits.match(/../g)!.reverse().join("")
}
