/** Variables for a run of git: neither the machine's nor the user's settings, no questions, and only these protocols. */
export function safeEnvironment(options: {
  readonly protocols?: readonly string[]
  readonly reads?: boolean
}): Record<string, string> {
  const { protocols = [], reads = false } = options
  return {
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_EDITOR: "true",
    GIT_PAGER: "cat",
    // Wins over every `protocol.<name>.allow` of a repository. Objects that are missing are otherwise fetched on the
    // way, from an address that the repository chooses.
    GIT_ALLOW_PROTOCOL: protocols.join(":"),
    GIT_NO_LAZY_FETCH: "1",
    // A look must not write; other commands refresh the index as usual.
    GIT_OPTIONAL_LOCKS: reads ? "0" : "1",
    LC_ALL: "C.UTF-8",
    LANGUAGE: "",
    [emptyVariable]: "",
    [falseVariable]: "false",
  }
}

/** A variable that holds nothing: the value of settings that are emptied by name. */
export const emptyVariable = "HAFT_GIT_EMPTY"

/** A variable that holds `false`. */
export const falseVariable = "HAFT_GIT_FALSE"
