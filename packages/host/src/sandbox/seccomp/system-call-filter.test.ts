import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { assemble } from "./assemble.js"
import { systemCallFilter } from "./system-call-filter.js"

const allow = "allow"
const refused = "errno 1"
const absent = "errno 38"

// Written down from asm/unistd_64.h, asm-generic/unistd.h and linux/audit.h, never taken from the list under test.
const auditArchitecture = { x64: 0xc000003e, arm64: 0xc00000b7 } as const
const refusedCalls = {
  x64: {
    ...{ ptrace: 101, process_vm_readv: 310, process_vm_writev: 311, pidfd_getfd: 438, kcmp: 312 },
    ...{ mount: 165, umount2: 166, pivot_root: 155, chroot: 161, open_tree: 428, move_mount: 429, fsopen: 430 },
    ...{ fsconfig: 431, fsmount: 432, fspick: 433, mount_setattr: 442, open_tree_attr: 467 },
    ...{ unshare: 272, setns: 308, open_by_handle_at: 304, add_key: 248, request_key: 249, keyctl: 250 },
    ...{ bpf: 321, perf_event_open: 298, io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427 },
    ...{ userfaultfd: 323, kexec_load: 246, kexec_file_load: 320, init_module: 175, finit_module: 313 },
    ...{ delete_module: 176, swapon: 167, swapoff: 168, reboot: 169, acct: 163, quotactl: 179, quotactl_fd: 443 },
    ...{ syslog: 103, iopl: 172, ioperm: 173 },
  },
  arm64: {
    ...{ ptrace: 117, process_vm_readv: 270, process_vm_writev: 271, pidfd_getfd: 438, kcmp: 272 },
    ...{ mount: 40, umount2: 39, pivot_root: 41, chroot: 51, open_tree: 428, move_mount: 429, fsopen: 430 },
    ...{ fsconfig: 431, fsmount: 432, fspick: 433, mount_setattr: 442, open_tree_attr: 467 },
    ...{ unshare: 97, setns: 268, open_by_handle_at: 265, add_key: 217, request_key: 218, keyctl: 219 },
    ...{ bpf: 280, perf_event_open: 241, io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427 },
    ...{ userfaultfd: 282, kexec_load: 104, kexec_file_load: 294, init_module: 105, finit_module: 273 },
    ...{ delete_module: 106, swapon: 224, swapoff: 225, reboot: 142, acct: 89, quotactl: 60, quotactl_fd: 443 },
    ...{ syslog: 116 },
  },
} as const
const judgedCalls = {
  x64: { clone: 56, clone3: 435, openat2: 437, socket: 41, socketpair: 53, ioctl: 16 },
  arm64: { clone: 220, clone3: 435, openat2: 437, socket: 198, socketpair: 199, ioctl: 29 },
} as const
// The arguments before the mode; the flags are O_CREAT | O_WRONLY, O_TMPFILE (with O_DIRECTORY) | O_RDWR, and O_RDWR.
const [created, temporary, opened] = [0o101, 0o20200002, 0o2]
const fileModes = {
  x64: { creat: [85, 0], mknod: [133, 0], mknodat: [259, 0, 0], open: [2, 0, created], openat: [257, 0, 0, created] },
  arm64: { mknodat: [33, 0, 0], openat: [56, 0, 0, created] },
} as const
const anyModes = {
  x64: {
    chmod: [90, 0],
    fchmod: [91, 0],
    fchmodat: [268, 0, 0],
    fchmodat2: [452, 0, 0],
    mkdir: [83, 0],
    mkdirat: [258, 0, 0],
  },
  arm64: { fchmod: [52, 0], fchmodat: [53, 0, 0], fchmodat2: [452, 0, 0], mkdirat: [34, 0, 0] },
} as const

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

describe.each(["x64", "arm64"] as const)("the system-call filter for %s", (architecture) => {
  const filter = systemCallFilter({ architecture })
  const call = (number: number, ...values: number[]) =>
    judge(filter, { number, architecture: auditArchitecture[architecture], arguments: values })

  test("refuses each call of the list with EPERM", () => {
    const answers = Object.entries(refusedCalls[architecture]).map(([name, number]) => [name, call(number)])
    expect(answers.filter(([, answer]) => answer !== refused)).toEqual([])
    expect(answers.length).toBe(architecture === "x64" ? 43 : 41)
  })

  test("lets every other call of its architecture pass", () => {
    const special = new Set<number>([
      ...Object.values(refusedCalls[architecture]),
      ...Object.values(judgedCalls[architecture]),
    ])
    for (let number = 0; number < 500; number += 1) if (!special.has(number)) expect(call(number)).toBe(allow)
  })

  test("refuses files with set-user-id or set-group-id bits, and has no openat2, whose mode it cannot see", () => {
    for (const [name, [number, ...first]] of Object.entries(fileModes[architecture])) {
      const answers = [0o4755, 0o2755, 0o6755, 0o104755].map((mode) => call(number, ...first, mode))
      expect([name, ...answers]).toEqual([name, refused, refused, refused, refused])
      expect([0o644, 0o1777, 0o100755].map((mode) => call(number, ...first, mode))).toEqual([allow, allow, allow])
    }
    expect(call(judgedCalls[architecture].openat2)).toBe(absent)
  })

  test("refuses set-user-id bits for what may be a folder, which may have the set-group-id bit", () => {
    for (const [name, [number, ...first]] of Object.entries(anyModes[architecture])) {
      expect([name, call(number, ...first, 0o4755), call(number, ...first, 0o6755)]).toEqual([name, refused, refused])
      expect([0o755, 0o2775, 0o1777].map((mode) => call(number, ...first, mode))).toEqual([allow, allow, allow])
    }
  })

  test("reads the mode of an open only where one is made", () => {
    const [number] = fileModes[architecture].openat
    expect(call(number, 0, 0, temporary, 0o4755)).toBe(refused)
    expect(call(number, 0, 0, opened, 0o4755)).toBe(allow)
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
