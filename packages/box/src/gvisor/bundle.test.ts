import { expect, test } from "vitest"
import { bundleConfiguration } from "./bundle.js"
import { gvisorArguments } from "./gvisor-arguments.js"

test("gVisor gets a read-only root, memory to write to, an ordinary user without rights, and no network", () => {
  const plan = { root: "/tree", writable: ["/work"], memoryBytes: 1024, environment: { A: "b=c" }, argv: ["/bin/true"] }
  const memory = { type: "tmpfs", source: "tmpfs" }
  const options = ["nosuid", "nodev", "mode=0755", "uid=1000", "gid=1000", "size=512"]
  expect(bundleConfiguration(plan)).toEqual({
    ociVersion: "1.0.2",
    hostname: "box",
    process: {
      terminal: false,
      user: { uid: 1000, gid: 1000 },
      args: ["/bin/true"],
      env: ["A=b=c"],
      cwd: "/",
      noNewPrivileges: true,
      capabilities: { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] },
      rlimits: [
        { type: "RLIMIT_NOFILE", hard: 1024, soft: 1024 },
        { type: "RLIMIT_CORE", hard: 0, soft: 0 },
      ],
    },
    root: { path: "/tree", readonly: true },
    mounts: [
      { destination: "/proc", type: "proc", source: "proc" },
      { ...memory, destination: "/dev/shm", options },
      { ...memory, destination: "/work", options },
    ],
    linux: {
      namespaces: [{ type: "pid" }, { type: "network" }, { type: "ipc" }, { type: "uts" }, { type: "mount" }],
    },
  })
})

test("gVisor dies with whoever started it and keeps its state in the folder of the run", () => {
  expect(gvisorArguments({ runsc: "/usr/bin/runsc", setpriv: "/usr/bin/setpriv" }, "/run1").join(" ")).toBe(
    "/usr/bin/setpriv --pdeathsig KILL -- /usr/bin/runsc --root /run1/state --network=none --ignore-cgroups --log /run1/log run --bundle /run1/bundle box",
  )
})
