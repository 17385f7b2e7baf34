/** SHA-256 of a text in UTF-8, in hexadecimal. Here, because this package asks nothing of the platform. */
export function sha256(text: string): string {
  const words = padded(new TextEncoder().encode(text))
  const state = Int32Array.from(initial)
  const schedule = new Int32Array(64)
  for (let block = 0; block < words.length; block += 16) compress(state, words.subarray(block, block + 16), schedule)
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("")
}

/** One bit, zeros and the length behind the bytes, as big-endian words. */
function padded(bytes: Uint8Array): Int32Array {
  const blocks = Math.ceil((bytes.length + 9) / 64)
  const view = new DataView(new ArrayBuffer(blocks * 64))
  for (const [index, byte] of bytes.entries()) view.setUint8(index, byte)
  view.setUint8(bytes.length, 0x80)
  view.setUint32(blocks * 64 - 8, Math.floor(bytes.length / 0x20000000))
  view.setUint32(blocks * 64 - 4, (bytes.length << 3) >>> 0)
  return Int32Array.from({ length: blocks * 16 }, (_, index) => view.getInt32(index * 4))
}

function compress(state: Int32Array, block: Int32Array, w: Int32Array): void {
  w.set(block)
  for (let t = 16; t < 64; t++) {
    const a = w[t - 15]!
    const b = w[t - 2]!
    const small0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
    const small1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
    w[t] = w[t - 16]! + small0 + w[t - 7]! + small1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let t = 0; t < 64; t++) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + big1 + ((e & f) ^ (~e & g)) + constants[t]! + w[t]!) | 0
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = state[index]! + value
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

/** The first 32 bits behind the point of a root of each of the first primes. */
function fractions(count: number, root: (prime: number) => number): readonly number[] {
  const found: number[] = []
  for (let prime = 2; found.length < count; prime++) {
    let divisor = 2
    while (divisor * divisor <= prime && prime % divisor !== 0) divisor++
    if (divisor * divisor > prime) found.push((root(prime) % 1) * 0x1_0000_0000)
  }
  return found.map((value) => Math.floor(value) | 0)
}

const initial = fractions(8, Math.sqrt)
const constants = fractions(64, Math.cbrt)
