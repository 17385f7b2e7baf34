import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { assemble } from "./assemble.js"
import { systemCallFilter } from "./system-call-filter.js"
import { auditArchitecture, type FilterArchitecture, judgedCalls, refusedCalls } from "./system-calls.js"

const allow = "allow"

/** Runs the bytes as the kernel would. */
function judge(
  filter: Uint8Array,
  call: { number: number; architecture: number; arguments?: readonly number[] },
): string {
  const view = new DataView(filter.buffer)
  const data = new DataView(new ArrayBuffer(64))
  data.setUint32(0, call.number, true)
  data.setUint32(4, call.architecture, true)
  for (const [index, value] of (call.arguments ?? []).entries()) data.setBigUint64(16 + index * 8, BigInt(value), true)
  let accumulator = 0
  for (let at = 0; ; ) {
    const [code, yes, no, value] = [
      view.getUint16(at, true),
      view.getUint8(at + 2),
      view.getUint8(at + 3),
      view.getUint32(at + 4, true),
    ]
    at += 8
    if (code === 0x20) accumulator = data.getUint32(value, true)
    else if (code === 0x15) at += 8 * (accumulator === value ? yes : no)
    else if (code === 0x35) at += 8 * (accumulator >= value ? yes : no)
    else if (code === 0x45) at += 8 * ((accumulator & value) !== 0 ? yes : no)
    else if (code === 0x06) return answerOf(value)
    else throw new Error(`unknown instruction ${code}`)
  }
}

function answerOf(value: number): string {
  if (value === 0x7fff0000) return allow
  if (value === 0x80000000) return "kill"
  return `errno ${value & 0xffff}`
}

describe.each(["x64", "arm64"] as const)("the system-call filter for %s", (architecture: FilterArchitecture) => {
  const filter = systemCallFilter({ architecture })
  const column = architecture === "x64" ? 0 : 1
  const call = (number: number, ...values: number[]) =>
    judge(filter, { number, architecture: auditArchitecture[architecture], arguments: values })

  test("refuses each call of the list with EPERM", () => {
    for (const [name, numbers] of Object.entries(refusedCalls)) {
      const number = numbers[column]
      if (number !== undefined) expect([name, call(number)]).toEqual([name, "errno 1"])
    }
  })

  test("lets every other call of its architecture pass", () => {
    const special = new Set<number | undefined>([
      ...Object.values(refusedCalls).map((numbers) => numbers[column]),
      ...Object.values(judgedCalls[architecture]),
    ])
    for (let number = 0; number < 500; number += 1) if (!special.has(number)) expect(call(number)).toBe(allow)
  })

  test("kills a program that uses another architecture's interface", () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.nat(500), (other, number) => {
        fc.pre(other !== auditArchitecture[architecture])
        return judge(filter, { number, architecture: other }) === "kill"
      }),
    )
  })

  test("refuses unix sockets with EPERM, other families but the internet with EAFNOSUPPORT", () => {
    const { socket } = judgedCalls[architecture]
    expect(call(socket, 1)).toBe("errno 1")
    expect([2, 10, 16].map((family) => call(socket, family))).toEqual([allow, allow, allow])
    fc.assert(fc.property(fc.integer({ min: 17, max: 60 }), (family) => call(socket, family) === "errno 97"))
    const lifted = systemCallFilter({ architecture, unixSockets: true })
    expect(judge(lifted, { number: socket, architecture: auditArchitecture[architecture], arguments: [1] })).toBe(allow)
  })

  test("lets pairs of unix sockets be made, but not of datagrams, which could be sent to any path", () => {
    const { socketpair } = judgedCalls[architecture]
    const closedOnExec = 0o2000000
    for (const flags of [0, closedOnExec]) {
      expect([1, 2, 3, 5].map((type) => call(socketpair, 1, type | flags))).toEqual([
        allow,
        "errno 1",
        "errno 1",
        allow,
      ])
    }
    fc.assert(fc.property(fc.integer({ min: 2, max: 60 }), (family) => call(socketpair, family, 1) === "errno 97"))
    const lifted = systemCallFilter({ architecture, unixSockets: true })
    const datagrams = { number: socketpair, architecture: auditArchitecture[architecture], arguments: [1, 2] }
    expect(judge(lifted, datagrams)).toBe(allow)
  })

  test("refuses typing into a terminal, but no other request to a device", () => {
    const { ioctl } = judgedCalls[architecture]
    expect(call(ioctl, 0, 0x5412)).toBe("errno 1")
    expect(call(ioctl, 0, 0x541c)).toBe("errno 1")
    expect(call(ioctl, 0, 0x5401)).toBe(allow)
  })

  test("refuses new namespaces by clone, has no clone3, and lets threads start", () => {
    const { clone, clone3 } = judgedCalls[architecture]
    expect(call(clone3)).toBe("errno 38")
    expect(call(clone, 0x10000000)).toBe("errno 1")
    expect(call(clone, 0x003d0f00)).toBe(allow)
  })
})

test("the filter for x64 knows no x32 calls", () => {
  const filter = systemCallFilter({ architecture: "x64" })
  expect(judge(filter, { number: 0x40000000 + 165, architecture: auditArchitecture.x64 })).toBe("errno 38")
})

test("a jump to nowhere or too far is an error when the filter is made", () => {
  expect(() => assemble([{ if: "equal", value: 1, yes: "nowhere" }])).toThrow(RangeError)
  const far = Array.from({ length: 300 }, () => ({ answer: 0 }))
  expect(() => assemble([{ if: "equal", value: 1, yes: "end" }, ...far, { at: "end" }, { answer: 0 }])).toThrow(
    RangeError,
  )
})
