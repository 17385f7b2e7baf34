/** A value that a system call of a guest program takes. */
export type Operand =
  | number
  /** The address of so many bytes above the stack pointer. */
  | { readonly stackAddress: number }
  /** The eight bytes that stand so many bytes above the stack pointer. */
  | { readonly stackValue: number }
  /** The address of the environment that the kernel put on the stack. */
  | "environment"

/** One system call. With `expect`, another result ends the program with code 1. */
export interface SystemCall {
  readonly number: number
  readonly operands: readonly Operand[]
  readonly expect?: number
}

/**
 * A static x86-64 Linux program that makes these system calls in order and exits with 0, or with 1 at the first
 * unexpected result. So the guest's own programs need no compiler where an image is built.
 */
export function systemCallProgram(calls: readonly SystemCall[]): Uint8Array {
  const leave = [...calls, { number: systemCalls.exit, operands: [0] }]
  const pieces = leave.map(callBytes)
  const total = pieces.reduce((sum, { length }) => sum + length, 0)
  const code: number[] = []
  leave.forEach(({ expect }, index) => {
    code.push(...pieces[index]!)
    // The failure exit stands behind everything else; the distance counts from the end of the jump.
    if (expect !== undefined) code.splice(code.length - 4, 4, ...int32(total - code.length))
  })
  return elf(new Uint8Array([...code, ...callBytes({ number: systemCalls.exit, operands: [1] })]))
}

/** The numbers of the system calls that guest programs make, on x86-64. */
export const systemCalls = {
  read: 0,
  ioctl: 16,
  execve: 59,
  exit: 60,
  chdir: 80,
  setgroups: 116,
  setresuid: 117,
  setresgid: 119,
  prctl: 157,
  chroot: 161,
  clockSettime: 227,
} as const

type Register = "rax" | "rdi" | "rsi" | "rdx" | "r10" | "r8"

// The order in which the kernel takes operands.
const operandRegisters: readonly Register[] = ["rdi", "rsi", "rdx", "r10", "r8"]
const registerNumbers: Readonly<Record<Register, number>> = { rax: 0, rdx: 2, rsi: 6, rdi: 7, r8: 8, r10: 10 }

function callBytes({ number, operands, expect }: SystemCall): readonly number[] {
  const loads = operands.flatMap((operand, index) => load(operandRegisters[index]!, operand))
  const call = [...loads, ...load("rax", number), 0x0f, 0x05]
  // cmp eax, expected; jne with a distance that is filled in when it is known
  return expect === undefined ? call : [...call, 0x3d, ...int32(expect), 0x0f, 0x85, 0, 0, 0, 0]
}

function load(register: Register, operand: Operand): readonly number[] {
  const number = registerNumbers[register]
  const low = number & 7
  const extended = number >> 3
  // mov r32, immediate clears the upper half
  if (typeof operand === "number") return [...(extended ? [0x41] : []), 0xb8 | low, ...int32(operand)]
  // rax = argument count; lea r64, [rsp + rax * 8 + 16]
  if (operand === "environment")
    return [0x48, 0x8b, 0x04, 0x24, 0x48 | (extended << 2), 0x8d, 0x44 | (low << 3), 0xc4, 16]
  const [opcode, offset] =
    "stackAddress" in operand ? [0x8d, operand.stackAddress] : ([0x8b, operand.stackValue] as const)
  // lea or mov r64, [rsp + offset]
  return [0x48 | (extended << 2), opcode, 0x84 | (low << 3), 0x24, ...int32(offset)]
}

function int32(value: number): readonly number[] {
  return [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, (value >> 24) & 0xff]
}

const headerBytes = 64
const programHeaderBytes = 56
const loadAddress = 0x400000

/** One read-only, executable segment that holds headers and code. */
function elf(code: Uint8Array): Uint8Array {
  const start = headerBytes + programHeaderBytes
  const file = new Uint8Array(start + code.length)
  const view = new DataView(file.buffer)
  // 64-bit, little-endian, current version, System V
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0])
  view.setUint16(16, 2, true)
  view.setUint16(18, 62, true)
  view.setUint32(20, 1, true)
  view.setBigUint64(24, BigInt(loadAddress + start), true)
  view.setBigUint64(32, BigInt(headerBytes), true)
  view.setUint16(52, headerBytes, true)
  view.setUint16(54, programHeaderBytes, true)
  view.setUint16(56, 1, true)
  view.setUint16(58, 64, true)
  const segment = headerBytes
  view.setUint32(segment, 1, true)
  view.setUint32(segment + 4, 5, true)
  view.setBigUint64(segment + 16, BigInt(loadAddress), true)
  view.setBigUint64(segment + 24, BigInt(loadAddress), true)
  view.setBigUint64(segment + 32, BigInt(file.length), true)
  view.setBigUint64(segment + 40, BigInt(file.length), true)
  view.setBigUint64(segment + 48, 0x1000n, true)
  file.set(code, start)
  return file
}
