import { spawn } from "node:child_process"
import { cgroupParent, cgroupPrefix } from "./call-cgroup.js"
import { tagName, tagPrefix } from "./process-tag.js"
import { withoutStrangers } from "./withheld-descriptors.js"

// Waits until Haft is gone, however it ended, and then ends what is left of all that it had started. It looks for a while:
// the environment of a process that is just starting a program cannot be read. One grep reads all of them, because one for
// each took seconds on a busy machine.
// Arguments: the tag to look for, the control groups to kill.
const script = `
trap '' HUP INT QUIT TERM
read -r unused
for round in 1 2 3 4 5 6 7 8 9 10; do
  for group in "$2"*; do
    [ -e "$group/cgroup.kill" ] && echo 1 > "$group/cgroup.kill"
  done
  for environment in $(grep -lsaF -e "$1" /proc/[0-9]*/environ); do
    pid=\${environment#/proc/}
    kill -9 "\${pid%/environ}"
  done
  sleep 0.1
done 2>/dev/null
for round in 1 2 3 4 5 6; do
  left=
  for group in "$2"*; do
    [ -d "$group" ] && { rmdir "$group" || left=yes; }
  done
  [ "$left" ] || break
  sleep 0.5
done 2>/dev/null
`

let watched = false

/** Sees to it that nothing outlives this process. One small watcher serves all starts; it does not keep Haft alive. */
export function watchOrphans(): void {
  if (watched || process.platform !== "linux") return
  watched = true
  const parent = cgroupParent()
  const groups = parent === undefined ? "/nonexistent/" : `${parent}/${cgroupPrefix}`
  const child = spawn("/bin/sh", ["-c", script, "sh", `${tagName}=${tagPrefix}.`, groups], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    // It lives as long as Haft does: a terminal that it held open would never end.
    stdio: withoutStrangers(["pipe", "ignore", "ignore"]),
    detached: true,
  })
  const { stdin } = child
  // Best effort: without a shell there is no watcher, and everything else works.
  child.on("error", () => undefined)
  stdin?.on("error", () => undefined)
  child.unref()
  ;(stdin as { unref?(): void } | null)?.unref?.()
}
