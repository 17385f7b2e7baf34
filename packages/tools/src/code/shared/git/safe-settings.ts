/**
 * Settings that every run is given on its command line, where they win over those of a repository: nothing that
 * a repository says about itself may start a program, wait for somebody, or reach beyond its work tree.
 */
const safeSettings: readonly (readonly [key: string, value: string])[] = [
  // Programs
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.pager", "cat"],
  ["core.editor", "true"],
  ["sequence.editor", "true"],
  ["core.askPass", ""],
  ["core.sshCommand", "false"],
  ["core.alternateRefsCommand", ""],
  ["credential.helper", ""],
  ["credential.interactive", "false"],
  ["diff.external", ""],
  ["interactive.diffFilter", ""],
  ["gpg.program", "false"],
  ["gpg.openpgp.program", "false"],
  ["gpg.ssh.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.defaultKeyCommand", ""],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["log.showSignature", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["checkout.workers", "1"],
  // Other repositories: a submodule has settings of its own, which a program started in it would obey
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["diff.submodule", "short"],
  ["diff.ignoreSubmodules", "dirty"],
  ["status.submoduleSummary", "false"],
  ["safe.bareRepository", "explicit"],
  // Network
  ["protocol.allow", "never"],
  ["http.followRedirects", "false"],
  ["transfer.bundleURI", "false"],
  // Files
  ["core.attributesFile", "/dev/null"],
  ["core.protectHFS", "true"],
  ["core.protectNTFS", "true"],
  // The file of settings is protected, so a new branch must not be noted there
  ["branch.autoSetupMerge", "false"],
  ["checkout.guess", "false"],
  ["worktree.guessRemote", "false"],
  // Output
  ["color.ui", "false"],
  ["column.ui", "never"],
  ["core.quotePath", "false"],
]

/** Arguments before the command that make git obey nothing of a repository but what it holds. */
export const safeArguments: readonly string[] = [
  "--no-pager",
  ...safeSettings.flatMap(([key, value]) => ["-c", `${key}=${value}`]),
]
