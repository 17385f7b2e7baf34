import { join } from "node:path"

/** gVisor's program and the one that ties its life to ours, as absolute paths. */
export interface GvisorPrograms {
  readonly runsc: string
  readonly setpriv: string
}

/** A folder for one run with what stands in it. */
export function gvisorPlaces(folder: string) {
  const bundle = join(folder, "bundle")
  return { bundle, configuration: join(bundle, "config.json"), state: join(folder, "state"), log: join(folder, "log") }
}

/** The words that start gVisor over a bundle; its system calls are served by its own kernel, and it dies with us. */
export function gvisorArguments({ runsc, setpriv }: GvisorPrograms, folder: string): readonly string[] {
  const { bundle, state, log } = gvisorPlaces(folder)
  return [
    ...[setpriv, "--pdeathsig", "KILL", "--", runsc],
    // Limits are those of the groups that it is started in; what goes wrong with gVisor itself is told in a file of ours.
    ...["--root", state, "--network=none", "--ignore-cgroups", "--log", log, "run", "--bundle", bundle, "box"],
  ]
}
