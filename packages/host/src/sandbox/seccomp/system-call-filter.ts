import { assemble, type FilterStep } from "./assemble.js"
import {
  auditArchitecture,
  type FilterArchitecture,
  judgedCalls,
  type ModeCall,
  modeCalls,
  refusedCalls,
} from "./system-calls.js"

/** What may be lifted from the filter. */
export interface FilterOptions {
  readonly architecture: FilterArchitecture
  /** Unix sockets work; the view still holds none of the host. */
  readonly unixSockets?: boolean
}

/** The system-call filter of a sandbox, as bytes for `bwrap --seccomp`. */
export function systemCallFilter({ architecture, unixSockets = false }: FilterOptions): Uint8Array {
  const calls = judgedCalls[architecture]
  const steps: FilterStep[] = [
    { load: offsets.architecture },
    // The 32-bit interface has other numbers for the same calls: without this the whole list could be walked around.
    { if: "equal", value: auditArchitecture[architecture], no: "kill" },
    { load: offsets.number },
    ...(architecture === "x64" ? [{ if: "at-least", value: x32Bit, yes: "absent" } as const] : []),
    // Its flags are in memory where a filter cannot look; C libraries then fall back to clone.
    { if: "equal", value: calls.clone3, yes: "absent" },
    // The same for its mode; programs fall back to openat.
    { if: "equal", value: calls.openat2, yes: "absent" },
    { if: "equal", value: calls.clone, yes: "clone" },
    { if: "equal", value: calls.socket, yes: "socket" },
    { if: "equal", value: calls.socketpair, yes: "socketpair" },
    { if: "equal", value: calls.ioctl, yes: "ioctl" },
    ...modeCalls[architecture].map((call) => ({ if: "equal", value: call.number, yes: placeOf(call) }) as const),
    ...refusedNumbers(architecture).map((value) => ({ if: "equal", value, yes: "refuse" }) as const),
    { answer: answers.allow },

    ...judgeModes(modeCalls[architecture]),

    { at: "clone" },
    { load: offsets.argument(0) },
    { if: "any-bit", value: newNamespaces, yes: "refuse", no: "allow" },

    { at: "ioctl" },
    { load: offsets.argument(1) },
    // Both put characters into the input of a terminal.
    { if: "equal", value: 0x5412, yes: "refuse" },
    { if: "equal", value: 0x541c, yes: "refuse", no: "allow" },

    { at: "socket" },
    { load: offsets.argument(0) },
    { if: "equal", value: families.inet, yes: "allow" },
    { if: "equal", value: families.inet6, yes: "allow" },
    { if: "equal", value: families.netlink, yes: "allow" },
    // vsock and others reach past the network namespace.
    { if: "equal", value: families.unix, yes: unixSockets ? "allow" : "refuse", no: "foreign" },

    { at: "socketpair" },
    { load: offsets.argument(0) },
    { if: "equal", value: families.unix, no: "foreign" },
    { load: offsets.argument(1) },
    // A stream or a sequence of packets stays with its other half; each datagram can be sent to any path.
    { if: "any-bit", value: unixSockets ? 0 : datagramBits, yes: "refuse", no: "allow" },
    { at: "foreign" },
    { answer: answers.error(97) },

    { at: "allow" },
    { answer: answers.allow },
    { at: "refuse" },
    { answer: answers.error(1) },
    { at: "absent" },
    { answer: answers.error(38) },
    { at: "kill" },
    { answer: answers.kill },
  ]
  return assemble(steps)
}

/** Calls with the same arguments share their steps. */
function placeOf({ mode, flags, ofFolders }: ModeCall): string {
  return `mode ${mode} ${flags ?? ""} ${ofFolders ?? ""}`
}

/** A set-user-id file of the caller lets anybody on the machine become the caller. */
function judgeModes(calls: readonly ModeCall[]): readonly FilterStep[] {
  const kinds = new Map(calls.map((call) => [placeOf(call), call]))
  return [...kinds].flatMap(([at, { mode, flags, ofFolders }]): readonly FilterStep[] => [
    { at },
    // Without these flags the mode is whatever was in the register.
    ...(flags === undefined
      ? []
      : [{ load: offsets.argument(flags) }, { if: "any-bit", value: creates, no: "allow" } as const]),
    { load: offsets.argument(mode) },
    { if: "any-bit", value: ofFolders ? setUserId : setUserId | setGroupId, yes: "refuse", no: "allow" },
  ])
}

// struct seccomp_data; only the low half of an argument matters for the calls judged here, which take 32-bit values.
const offsets = { number: 0, architecture: 4, argument: (index: number) => 16 + index * 8 } as const
const answers = { allow: 0x7fff0000, kill: 0x80000000, error: (errno: number) => 0x00050000 | errno } as const
const families = { unix: 1, inet: 2, inet6: 10, netlink: 16 } as const
// SOCK_DGRAM and SOCK_RAW, which the kernel takes for the same; SOCK_STREAM is 1, SOCK_SEQPACKET is 5.
const datagramBits = 0b0010
const x32Bit = 0x40000000
const setUserId = 0o4000
const setGroupId = 0o2000
// O_CREAT and O_TMPFILE.
const creates = 0o100 | 0o20000000
// CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET.
const newNamespaces = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000

function refusedNumbers(architecture: FilterArchitecture): readonly number[] {
  const column = architecture === "x64" ? 0 : 1
  return Object.values(refusedCalls).flatMap((numbers) => numbers[column] ?? [])
}
