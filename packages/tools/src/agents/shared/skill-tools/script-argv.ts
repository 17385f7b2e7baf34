/** How an interpreter takes a program as an argument, so that standard input is free for the arguments of the call. */
const inlineOption: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  sh: "-c",
  bash: "-c",
  dash: "-c",
  zsh: "-c",
  python: "-c",
  python3: "-c",
  node: "-e",
  deno: "eval",
  perl: "-e",
  ruby: "-e",
  php: "-r",
  lua: "-e",
})

/** Program and arguments that run a script; throws when the interpreter is not known. */
export function scriptArgv(interpreter: string, options: readonly string[], script: string): readonly string[] {
  const name = interpreter.replace(/^.*[/\\]/, "").replace(/\.exe$/i, "")
  const inline = inlineOption[name]
  if (inline === undefined) {
    throw new Error(`the interpreter "${interpreter}" is unknown; use one of ${Object.keys(inlineOption).join(", ")}`)
  }
  // A program in the workspace under this name is not meant, so only the name is kept and looked up on the machine.
  return [name, ...options, inline, script]
}
