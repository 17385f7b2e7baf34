import type { Hint } from "@haft/contract"

const inFront = 'Put "cd DIR &&" in front of the command'
const noSandbox = "Leave it out: a call does not choose its sandbox"

const inBackground: Hint = [
  "Leave it out: what a command starts ends with the call",
  { say: "Start what shall go on with {tool:job_start}" },
]

/** What models say about a command that shall go on, for tools whose commands end with the call. */
export const backgroundHabits: Readonly<Record<string, Hint>> = {
  run_in_background: inBackground,
  background: inBackground,
  is_background: inBackground,
}

/** How a tool that takes one command line says what models say with keys of other systems. */
export const commandHabits: Readonly<Record<string, string>> = {
  cwd: inFront,
  workdir: inFront,
  working_directory: inFront,
  working_dir: inFront,
  directory: inFront,
  dir: inFront,
  env: 'Put "NAME=value" in front of the command',
  environment: 'Put "NAME=value" in front of the command',
  args: "Write the arguments into the command",
  stdin: "Give the input in the command, with a pipe or a here-document",
  input: "Give the input in the command, with a pipe or a here-document",
  shell: "Leave it out: the shell is always the same",
  restart: "Leave it out: each call starts fresh",
  sandbox: noSandbox,
  sandbox_permissions: noSandbox,
  with_escalated_permissions: noSandbox,
  dangerouslyDisableSandbox: noSandbox,
}
