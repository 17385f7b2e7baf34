/** Told by a command in a container about its wall, one fact a line. */
export const proofCommand = [
  "grep -E '^(Uid|CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr '\\t' ' '",
  "tail -n +3 /proc/net/dev | cut -d: -f1 | sed 's/^ */Interface: /'",
  "touch /usr/proof 2> /dev/null && echo Root: written",
  `for file in memory.max memory/memory.limit_in_bytes; do [ -r /sys/fs/cgroup/$file ] && echo "Memory: $(cat /sys/fs/cgroup/$file)"; done`,
  `for file in pids.max pids/pids.max; do [ -r /sys/fs/cgroup/$file ] && echo "Processes: $(cat /sys/fs/cgroup/$file)"; done`,
  "true",
].join("\n")

/** What the wall of a container is held to. */
export interface ExpectedWall {
  readonly user: number
  readonly memoryBytes: number
  readonly processes: number
}

/** The first thing that the wall does not hold, or undefined: some hosts take every option and leave out a limit in silence. */
export function missingFromWall(told: string, expected: ExpectedWall): string | undefined {
  const facts = told.trim().split("\n")
  const wanted = [
    { line: `Uid: ${Array(4).fill(expected.user).join(" ")}`, why: "the command runs as another user" },
    { line: "CapEff: 0000000000000000", why: "the command keeps capabilities" },
    { line: "CapBnd: 0000000000000000", why: "the command could get capabilities" },
    { line: "NoNewPrivs: 1", why: "programs of the command could gain privileges" },
    { line: "Seccomp: 2", why: "no system calls are filtered" },
    { line: `Memory: ${expected.memoryBytes}`, why: "memory is not limited" },
    { line: `Processes: ${expected.processes}`, why: "the number of processes is not limited" },
  ]
  if (facts.includes("Root: written")) return "the image can be written"
  if (facts.some((fact) => fact.startsWith("Interface: ") && fact !== "Interface: lo")) return "there is a network"
  return wanted.find(({ line }) => !facts.includes(line))?.why
}
