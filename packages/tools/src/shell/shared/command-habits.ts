const inFront = 'Put "cd DIR &&" in front of the command'
const noSandbox = "Leave it out: a call does not choose its sandbox"

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
