export { detectGit, type GitFound } from "./detect-git.js"
export { gitInstallCommand } from "./git-install-command.js"
export { type GitInstall, type GitInstallOptions, gitArchive, installGit } from "./install-git.js"
export { installedGitFolder } from "./installed-git-folder.js"
