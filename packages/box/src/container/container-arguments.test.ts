import { expect, test } from "vitest"
import { containerArguments, isPlainPath } from "./container-arguments.js"
import { missingProtection } from "./container-host.js"

test("a container gets nothing of the host, no rights, and limits", () => {
  const words = containerArguments({
    runtime: "/usr/bin/crun",
    name: "haft-box-1-a",
    root: "/images/debian-12/tree/root",
    writable: ["/tmp", "/work"],
    memoryBytes: 512 * 1024 * 1024,
    processes: 512,
    userProcesses: 4096,
    environment: { PATH: "/bin", HOME: "/home/box" },
    argv: ["/bin/sh", "-c", "true"],
  })
  expect(words.join(" ").replaceAll(" --", "\n--")).toBe(
    `--runtime /usr/bin/crun
--log-level error run
--rm
--name haft-box-1-a
--interactive
--sig-proxy=false
--pull never
--network none
--no-hosts
--http-proxy=false
--hostname box
--cap-drop all
--security-opt no-new-privileges
--user 1000:1000
--passwd-entry box:*:1000:1000:box:/home/box:/bin/sh
--ipc private
--cgroupns private
--systemd false
--log-driver none
--memory 536870912
--memory-swap 536870912
--pids-limit 512
--ulimit nofile=1024:1024
--ulimit core=0:0
--ulimit nproc=4096:4096
--read-only
--read-only-tmpfs=false
--shm-size 134217728
--mount type=tmpfs,destination=/tmp,U=true,notmpcopyup,tmpfs-mode=0755,tmpfs-size=268435456
--mount type=tmpfs,destination=/work,U=true,notmpcopyup,tmpfs-mode=0755,tmpfs-size=268435456
--unsetenv-all
--env PATH=/bin
--env HOME=/home/box
--workdir /
--rootfs /images/debian-12/tree/root:O /bin/sh -c true`,
  )
})

test("a path that podman would take apart is no plain path", () => {
  expect(isPlainPath("/home/me/.local/share/haft/box/images/debian-12")).toBe(true)
  for (const path of ["/a:b", "/a,b", "/a b", "/a\nb"]) expect(isPlainPath(path)).toBe(false)
})

const whole = [
  "Uid: 1000 1000 1000 1000",
  "CapBnd: 0000000000000000",
  "CapEff: 0000000000000000",
  "NoNewPrivs: 1",
  "Seccomp: 2",
  "Interface: lo",
  "Memory: 536870912",
  "Processes: 512",
]
const expected = { user: 1000, memoryBytes: 536_870_912, processes: 512 }

test("a sandbox that holds everything misses nothing", () => {
  expect(missingProtection(`${whole.join("\n")}\n`, expected)).toBeUndefined()
  // Without a network there may be no interface at all.
  expect(missingProtection(whole.filter((fact) => !fact.startsWith("Interface")).join("\n"), expected)).toBeUndefined()
})

test.each([
  ["Uid: 1000 1000 1000 1000", "Uid: 0 0 0 0", "another user"],
  ["CapEff: 0000000000000000", "CapEff: 00000000a80425fb", "capabilities"],
  ["CapBnd: 0000000000000000", "CapBnd: 00000000a80425fb", "capabilities"],
  ["NoNewPrivs: 1", "NoNewPrivs: 0", "privileges"],
  ["Seccomp: 2", "Seccomp: 0", "filtered"],
  ["Interface: lo", "Interface: lo\nInterface: eth0", "network"],
  ["Interface: lo", "Interface: lo\nRoot: written", "written"],
  ["Memory: 536870912", "Memory: max", "memory is not limited"],
  ["Memory: 536870912", "", "memory is not limited"],
  ["Processes: 512", "Processes: max", "processes is not limited"],
])("%s told as %o is named", (fact, told, why) => {
  expect(missingProtection(whole.join("\n").replace(fact, told), expected)).toContain(why)
})
