import { statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { backendsHere, isInstalled } from "../testing/installed.js"
import { makeSandboxBench, type SandboxBench } from "../testing/sandbox-bench.js"

// Numbers of this machine's calls, written down from the headers of Linux; with arguments that are wrong for all of them.
const refused: Readonly<Record<string, readonly [number, number | undefined]>> = {
  ...{ ptrace: [101, 117], process_vm_readv: [310, 270], process_vm_writev: [311, 271], pidfd_getfd: [438, 438] },
  ...{ kcmp: [312, 272], mount: [165, 40], umount2: [166, 39], pivot_root: [155, 41], chroot: [161, 51] },
  ...{ open_tree: [428, 428], move_mount: [429, 429], fsopen: [430, 430], fsconfig: [431, 431], fsmount: [432, 432] },
  ...{
    fspick: [433, 433],
    mount_setattr: [442, 442],
    open_tree_attr: [467, 467],
    unshare: [272, 97],
    setns: [308, 268],
  },
  ...{
    open_by_handle_at: [304, 265],
    add_key: [248, 217],
    request_key: [249, 218],
    keyctl: [250, 219],
    bpf: [321, 280],
  },
  ...{ perf_event_open: [298, 241], io_uring_setup: [425, 425], io_uring_enter: [426, 426] },
  ...{ io_uring_register: [427, 427], userfaultfd: [323, 282], kexec_load: [246, 104], kexec_file_load: [320, 294] },
  ...{ init_module: [175, 105], finit_module: [313, 273], delete_module: [176, 106], swapon: [167, 224] },
  ...{ swapoff: [168, 225], reboot: [169, 142], acct: [163, 89], quotactl: [179, 60], quotactl_fd: [443, 443] },
  ...{ syslog: [103, 116], iopl: [172, undefined], ioperm: [173, undefined] },
}
const column = process.arch === "x64" ? 0 : 1
const numbers = Object.fromEntries(Object.entries(refused).map(([name, both]) => [name, both[column]]))
const canRun = isInstalled("python3") && (process.arch === "x64" || process.arch === "arm64")
const permission = 1

describe.skipIf(!canRun).each(backendsHere)("system calls from inside %s", (backend) => {
  let bench: SandboxBench
  beforeAll(async () => {
    bench = await makeSandboxBench({ backend })
  })
  afterAll(() => bench.close())

  /** The error number of each call, by name. */
  async function tried(): Promise<Record<string, number>> {
    const script = [
      "import ctypes, json, sys",
      "libc = ctypes.CDLL(None, use_errno=True)",
      "def tried(number):",
      "  ctypes.set_errno(0)",
      "  libc.syscall(*(ctypes.c_long(one) for one in (number, -1, -1, -1, -1, -1, -1)))",
      "  return ctypes.get_errno()",
      "print(json.dumps({name: tried(number) for name, number in json.loads(sys.argv[1]).items()}))",
    ].join("\n")
    const { stdout } = await bench.run(`/usr/bin/python3 -c '${script}' '${JSON.stringify(numbers)}'`)
    return JSON.parse(stdout)
  }

  if (backend === "bwrap") {
    test("are refused, each of the list", async () => {
      const others = Object.entries(await tried()).filter(([, errno]) => errno !== permission)
      expect(others).toEqual([])
    })

    test("that would make a set-user-id file are refused; a folder may hand on its group", async () => {
      const line = [
        "cp /bin/sh s; chmod 4755 s",
        "install -m 6755 /bin/sh t",
        "/usr/bin/python3 -c \"import os; os.open('u', os.O_CREAT | os.O_WRONLY, 0o2755)\"",
        "/usr/bin/python3 -c \"import os; os.mknod('v', 0o106755)\"",
        "mkdir d; chmod 2775 d && echo folder; true",
      ].join("\n")
      const { stdout, stderr } = await bench.run(line)
      expect(stdout).toBe("folder\n")
      expect(stderr.match(/Operation not permitted/g)).toHaveLength(4)
      for (const name of ["s", "t"]) expect(statSync(join(bench.root, name)).mode & 0o6000).toBe(0)
      expect(statSync(join(bench.root, "d")).mode & 0o7777).toBe(0o2775)
    })
  } else {
    test("without a filter are answered otherwise, so that the refusal says something", async () => {
      const answers = await tried()
      const telling = Object.keys(answers).filter((name) => answers[name] !== permission)
      const expected = ["ptrace", "process_vm_readv", "kcmp", "unshare", "io_uring_setup", "pidfd_getfd", "keyctl"]
      expect(telling).toEqual(expect.arrayContaining(expected))
    })
  }
})
