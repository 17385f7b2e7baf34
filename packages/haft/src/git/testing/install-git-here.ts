import { createGitInstaller } from "../install-missing-git.js"

// A process of its own that installs git as a session does, and prints where it is.
const [baseUrl, sha256, target] = process.argv.slice(2) as [string, string, string]
const install = createGitInstaller({ baseUrl, sha256, target, onProgress: (text) => console.error(text) })
console.log(await install(new AbortController().signal))
