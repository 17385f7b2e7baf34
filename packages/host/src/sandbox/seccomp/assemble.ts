/** One step of a filter, with names for the places it jumps to; a missing name means the next step. */
export type FilterStep =
  | { readonly at: string }
  | { readonly load: number }
  | {
      readonly if: "equal" | "at-least" | "any-bit"
      readonly value: number
      readonly yes?: string
      readonly no?: string
    }
  | { readonly answer: number }

// linux/bpf_common.h: class, size, mode and operation in one number.
const loadWord = 0x20
const conditions = { equal: 0x15, "at-least": 0x35, "any-bit": 0x45 } as const
const giveBack = 0x06

/** Turns steps into the bytes that the kernel takes: eight a step, little-endian, jumps forward only. */
export function assemble(steps: readonly FilterStep[]): Uint8Array {
  const places = new Map<string, number>()
  const instructions: Exclude<FilterStep, { at: string }>[] = []
  for (const step of steps) {
    if ("at" in step) places.set(step.at, instructions.length)
    else instructions.push(step)
  }
  const bytes = new DataView(new ArrayBuffer(instructions.length * 8))
  const write = (index: number, code: number, value: number, onTrue = 0, onFalse = 0) => {
    bytes.setUint16(index * 8, code, true)
    bytes.setUint8(index * 8 + 2, onTrue)
    bytes.setUint8(index * 8 + 3, onFalse)
    bytes.setUint32(index * 8 + 4, value, true)
  }
  for (const [index, step] of instructions.entries()) {
    const distance = (name: string | undefined) => (name === undefined ? 0 : distanceTo(places, name, index))
    if ("load" in step) write(index, loadWord, step.load)
    else if ("answer" in step) write(index, giveBack, step.answer)
    else write(index, conditions[step.if], step.value, distance(step.yes), distance(step.no))
  }
  return new Uint8Array(bytes.buffer)
}

function distanceTo(places: ReadonlyMap<string, number>, name: string, from: number): number {
  const place = places.get(name)
  const distance = place === undefined ? -1 : place - from - 1
  if (distance < 0 || distance > 255) throw new RangeError(`The filter cannot jump to "${name}" from step ${from}`)
  return distance
}
