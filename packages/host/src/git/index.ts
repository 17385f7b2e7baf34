export { detectGit, type GitFound } from "./detect-git.js"
export { type GitInstall, type GitInstallOptions, gitArchive, installGit } from "./install-git.js"
export { gitBuild, type MissingGit } from "./install-missing-git.js"
export { installedGitFolder } from "./installed-git-folder.js"
