import { type SystemCall, systemCallProgram, systemCalls } from "./system-call-program.js"

/** The user and group that commands run as in the guest. */
export const guestUser = 1000

// struct timespec, then struct rand_pool_info with 32 bytes
const timeBytes = 16
const poolBytes = 8 + 32
const blockBytes = timeBytes + poolBytes
const addEntropy = 0x40085203
const reseedGenerator = 0x5207
const dropFromBoundingSet = 24
const setNoNewPrivileges = 38
const lastCapability = 63
// Every kernel that an image may have knows these; numbers above may be unknown to it.
const certainCapabilities = 38

/**
 * Sets the clock and the random generator from a block on standard input; descriptor 3 is the random device.
 * Writing to the device alone would leave two restores of one snapshot with equal random bytes.
 */
export function seedProgram(): Uint8Array {
  // Below the stack pointer of a program that calls no function everything is free; the kernel keeps 128 bytes off.
  const block = -256
  return systemCallProgram([
    { number: systemCalls.read, operands: [0, { stackAddress: block }, blockBytes], expect: blockBytes },
    { number: systemCalls.clockSettime, operands: [0, { stackAddress: block }], expect: 0 },
    { number: systemCalls.ioctl, operands: [3, addEntropy, { stackAddress: block + timeBytes }], expect: 0 },
    { number: systemCalls.ioctl, operands: [3, reseedGenerator], expect: 0 },
  ])
}

/** The block for the seed program: this time and these 32 random bytes. */
export function seedBlock(nowMs: number, random: Uint8Array): Uint8Array {
  const block = new Uint8Array(blockBytes)
  const view = new DataView(block.buffer)
  view.setBigInt64(0, BigInt(Math.floor(nowMs / 1000)), true)
  view.setBigInt64(8, BigInt((nowMs % 1000) * 1_000_000), true)
  view.setInt32(timeBytes, random.length * 8, true)
  view.setInt32(timeBytes + 4, random.length, true)
  block.set(random, timeBytes + 8)
  return block
}

/**
 * `confine ROOT DIRECTORY PROGRAM NAME [ARGUMENT ...]`: goes into ROOT, gives up every privilege for good, and becomes
 * PROGRAM. The kernel clears the effective capabilities with the change of user.
 */
export function confineProgram(): Uint8Array {
  const argument = (index: number) => 8 + 8 * index
  const drops: SystemCall[] = Array.from({ length: lastCapability + 1 }, (_, capability) => ({
    number: systemCalls.prctl,
    operands: [dropFromBoundingSet, capability, 0, 0, 0],
    ...(capability < certainCapabilities && { expect: 0 }),
  }))
  return systemCallProgram([
    { number: systemCalls.chroot, operands: [{ stackValue: argument(1) }], expect: 0 },
    { number: systemCalls.chdir, operands: [{ stackValue: argument(2) }], expect: 0 },
    ...drops,
    { number: systemCalls.prctl, operands: [setNoNewPrivileges, 1, 0, 0, 0], expect: 0 },
    { number: systemCalls.setgroups, operands: [0, 0], expect: 0 },
    { number: systemCalls.setresgid, operands: [guestUser, guestUser, guestUser], expect: 0 },
    { number: systemCalls.setresuid, operands: [guestUser, guestUser, guestUser], expect: 0 },
    {
      number: systemCalls.execve,
      operands: [{ stackValue: argument(3) }, { stackAddress: argument(4) }, "environment"],
      expect: 0,
    },
  ])
}
