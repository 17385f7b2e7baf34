import { hash } from "node:crypto"
import { delimiter, join } from "node:path"
import type { BoxLevel } from "@haft/contract"
import { wideRoot } from "@haft/guard"
import { installedGitFolder, type ProcessOptions } from "@haft/host"
import type { SessionSetting } from "./open-session.js"
import type { BoxChoice } from "./options.js"
import { widenessOf } from "./wideness-of.js"

/** How this session's processes are confined: by the caller's choice, on this user's machine. */
export function processesOf({ options, places, roots }: SessionSetting): ProcessOptions {
  const { policy = "required", readable = [], env = [], envSecrets = [] } = options.sandbox ?? {}
  // Last on the search path: a git that the user asked Haft to install serves where the machine has none.
  const ownGit = installedGitFolder(places.userHome)
  const workspace = hash("sha256", roots.join("\0")).slice(0, 16)
  return {
    // Loaded at the first question: few sessions ask any.
    languages: async (place) =>
      (await import("@haft/lsp")).createLanguageServers({ ...place, trusted: options.trusted ?? false }),
    ...(options.installGit && { git: { ...options.installGit, target: ownGit } }),
    sandbox: {
      policy,
      // Shown once it is there, which may be in the middle of the session.
      readable: [...readable, ownGit],
      env,
      envSecrets,
      haftHome: places.home,
      cacheFolder: join(places.home, "cache", workspace),
      home: places.userHome,
      path: [process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin", join(ownGit, "bin")].join(delimiter),
      netGrants: options.netGrants ?? [],
      ...(options.registries?.length && { registries: options.registries }),
      ...(options.proxy && { proxy: options.proxy }),
      hidden: [places.configHome],
      isWide: (path) => wideRoot(path, widenessOf(places)) !== undefined,
      variables: process.env,
    },
    box: boxOf(options.box, places.home),
  }
}

/** Boxes are loaded when the first one is asked for: few sessions open any. */
function boxOf({ minIsolation, defaultImage }: BoxChoice = {}, home: string): ProcessOptions["box"] {
  return (outputFolder) => {
    let loading: Promise<ReturnType<ProcessOptions["box"]>> | undefined
    const load = async () => {
      const { boxImagesFolder, createBox } = await import("@haft/box")
      const settings = {
        imagesFolder: boxImagesFolder(home),
        ...(minIsolation && { minIsolation: minIsolation as BoxLevel }),
        ...(defaultImage && { defaultImage }),
      }
      return createBox(settings, { outputFolder })
    }
    return (call) => ({
      async run(request) {
        loading ??= load()
        return (await loading)(call).run(request)
      },
    })
  }
}
