import { hash } from "node:crypto"
import { delimiter, dirname, join } from "node:path"
import { wideRoot } from "@haft/guard"
import type { ProcessOptions } from "@haft/host"
import { rootPlaces } from "../config/places.js"
import { gitProgram, installedGitFolder } from "../git/installed-git-folder.js"
import type { SessionSetting } from "./open-session.js"
import type { HaftOptions } from "./options.js"

/** How this session's processes are confined: by the caller's choice, on this user's machine. */
export function processesOf({ options, places, roots }: SessionSetting): ProcessOptions {
  const { sandbox = {}, network = {}, git = {}, workspace: { trusted = false } = {} } = options
  const { policy = "required", readable = [], env = [], envSecrets = [] } = sandbox
  // Last on the search path: a git that the user asked Haft to install serves where the machine has none.
  const ownGit = installedGitFolder(places.userHome)
  const cache = hash("sha256", roots.join("\0")).slice(0, 16)
  return {
    // Loaded at the first question: few sessions ask any.
    languages: async (place) => (await import("@haft/lsp")).createLanguageServers({ ...place, trusted }),
    installGit: git.install ? installerOf(git, ownGit) : undefined,
    sandbox: {
      policy,
      // Shown once it is there, which may be in the middle of the session.
      readable: [...readable, ownGit],
      env,
      envSecrets,
      haftHome: places.home,
      cacheFolder: join(places.home, "cache", cache),
      home: places.userHome,
      path: [process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin", dirname(gitProgram(ownGit))].join(delimiter),
      netGrants: network.grants ?? [],
      registries: network.registries?.length ? network.registries : undefined,
      proxy: network.proxy,
      hidden: [places.configHome],
      isWide: (path) => wideRoot(path, rootPlaces(places)) !== undefined,
      variables: process.env,
    },
    box: boxOf(options, places.home),
  }
}

/** Installs git once, however many commands need it; loaded when the first one does. */
function installerOf(git: NonNullable<HaftOptions["git"]>, target: string): ProcessOptions["installGit"] {
  let loading: Promise<(signal: AbortSignal) => Promise<string>> | undefined
  return async (signal) => {
    loading ??= import("../git/install-missing-git.js").then(({ createGitInstaller }) =>
      createGitInstaller({ ...git, target }),
    )
    return (await loading)(signal)
  }
}

/** Boxes are loaded when the first one is asked for: few sessions open any. */
function boxOf(
  { box: { minIsolation, defaultImage } = {}, network = {} }: HaftOptions,
  home: string,
): ProcessOptions["box"] {
  return (outputFolder) => {
    let loading: Promise<ReturnType<ProcessOptions["box"]>> | undefined
    const load = async () => {
      const { boxImagesFolder, createBox } = await import("@haft/box")
      const reach = { netGrants: network.grants ?? [], proxy: network.proxy }
      const imagesFolder = boxImagesFolder(home)
      return createBox({ imagesFolder, minIsolation, defaultImage, ...reach }, { outputFolder })
    }
    return (call) => ({
      async run(request) {
        loading ??= load()
        return (await loading)(call).run(request)
      },
    })
  }
}
