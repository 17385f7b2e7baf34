import { existsSync } from "node:fs"
import { readdir, readFile, realpath, rm } from "node:fs/promises"
import { join, sep } from "node:path"
import { nearestNames, ToolError } from "@haft/contract"
import { buildDrivers, type DriverParts, perlFiles } from "../guest/build-initrd.js"
import type { Image } from "./image.js"
import { installImage } from "./install-image.js"
import { extractKernel, kernelModules } from "./kernel.js"
import { makeRootfs } from "./make-rootfs.js"
import { type ImageRecipe, imageRecipes } from "./recipes.js"
import { runProgram } from "./run-program.js"

/** How an image is built. */
export interface BuildOptions {
  readonly imagesFolder: string
  /** Another archive than the distribution's own, for instance a mirror nearby. */
  readonly mirror?: string
  readonly signal?: AbortSignal
  /** Called with each step in words. */
  readonly onStep?: (words: string) => void
}

/** Builds and installs an image from a distribution's packages. An image of that name is replaced when all is done. */
export async function buildImage(name: string, options: BuildOptions): Promise<Image> {
  const recipe = Object.hasOwn(imageRecipes, name) ? imageRecipes[name]! : unknownRecipe(name)
  await checkKeyring(recipe)
  return installImage(name, options, async (folder) => {
    const download = join(folder, downloadFolder)
    options.onStep?.(`fetching ${recipe.suite} with mmdebstrap; this takes minutes`)
    const archive = join(folder, "rootfs.tar")
    await runProgram(bootstrapCommand(recipe, { archive, folder, ...options }), {
      ...(options.signal && { signal: options.signal }),
      ...(options.onStep && { onLine: options.onStep }),
    })
    options.onStep?.("making the root file system")
    let perl: DriverParts["perl"] = []
    const look = async (root: string): Promise<void> => {
      perl = await perlParts(root)
    }
    const os = await makeRootfs(archive, folder, { signal: options.signal, look })
    await rm(archive)
    options.onStep?.("taking the kernel apart")
    const parts = await kernelParts({ download, folder, perl }, options.signal)
    await rm(download, { recursive: true })
    return { os, ...parts }
  })
}

/** One run of mmdebstrap: the packages as a tar archive, and beside it kernel and busybox from the same archive. */
export function bootstrapCommand(
  recipe: ImageRecipe,
  { archive, folder, mirror }: { readonly archive: string; readonly folder: string; readonly mirror?: string },
): readonly string[] {
  return [
    "mmdebstrap",
    "--variant=minbase",
    "--architectures=amd64",
    `--components=${recipe.components}`,
    `--keyring=${recipe.keyring.path}`,
    `--include=${recipe.include.join(",")}`,
    // Manuals and translations are a third of the size and nobody reads them in a box.
    ...["man", "locale", "doc", "info"].map((part) => `--dpkgopt=path-exclude=/usr/share/${part}/*`),
    '--aptopt=Acquire::Languages "none"',
    `--customize-hook=${downloadHook(recipe.kernelPackage)}`,
    `--customize-hook=copy-out /${downloadFolder} ${quoted(folder)}`,
    `--customize-hook=rm -r "$1/${downloadFolder}"`,
    recipe.suite,
    archive,
    // Without one, mmdebstrap takes the distribution's own archive with its updates.
    ...(mirror === undefined ? [] : [mirror]),
  ]
}

const downloadFolder = "haft-download"

/** The kernel is not installed but only fetched, with the keys and from the archive of the image. */
function downloadHook(kernelPackage: string): string {
  const dependency = (of: string, prefix: string) =>
    `$(apt-cache depends ${of} | sed -n "s/^ *Depends: \\(${prefix}-[0-9].*\\)/\\1/p" | head -n 1)`
  return [
    "set -eu",
    `mkdir "$1/${downloadFolder}"`,
    `cd "$1/${downloadFolder}"`,
    'export APT_CONFIG="$MMDEBSTRAP_APT_CONFIG"',
    `image=${dependency(kernelPackage, "linux-image")}`,
    `modules=${dependency('"$image"', "linux-modules")}`,
    'apt-get -o APT::Sandbox::User=root download "$image" $modules busybox-static',
  ].join("; ")
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * Perl out of the root file system that was just made from signed packages. From then on the guest uses this copy, and not
 * what an image has under that name.
 */
export async function perlParts(root: string): Promise<DriverParts["perl"]> {
  return Promise.all(
    perlFiles.map(async (path) => {
      // The loader's own path is an absolute link, which would resolve to that of the host.
      const place = path.startsWith("bin/") ? `usr/${path}` : path.replace("lib64/", "lib/x86_64-linux-gnu/")
      const file = await realpath(await firstOf(root, path, place))
      if (!file.startsWith(`${await realpath(root)}${sep}`)) {
        throw new ToolError("backend", `Cannot build the image: "${path}" leads out of it`)
      }
      return { path, content: await readFile(file) }
    }),
  )
}

interface KernelSources {
  readonly download: string
  readonly folder: string
  readonly perl: DriverParts["perl"]
}

async function kernelParts({ download, folder, perl }: KernelSources, signal: AbortSignal | undefined) {
  const unpacked = join(folder, "unpacked")
  for (const file of await readdir(download)) {
    await runProgram(["dpkg-deb", "-x", join(download, file), unpacked], { ...(signal && { signal }) })
  }
  const boot = join(unpacked, "boot")
  const image = (await readdir(boot)).find((file) => file.startsWith("vmlinuz-"))
  if (image === undefined) throw new ToolError("backend", "Cannot build the image: the kernel package has no kernel")
  const modulesFolder = await firstOf(unpacked, "modules", `lib/modules/${image.slice("vmlinuz-".length)}`)
  const kernel = await extractKernel(await readFile(join(boot, image)))
  const busybox = await readFile(await firstOf(unpacked, "busybox", "bin/busybox"))
  const drivers = buildDrivers({ busybox, perl, modules: await kernelModules(modulesFolder) })
  await rm(unpacked, { recursive: true })
  return { kernel, drivers }
}

/** Newer distributions keep everything below usr. */
async function firstOf(unpacked: string, what: string, path: string): Promise<string> {
  for (const candidate of [join(unpacked, path), join(unpacked, "usr", path)]) {
    if (existsSync(candidate)) return candidate
  }
  throw new ToolError("backend", `Cannot build the image: the packages hold no ${what}`)
}

async function checkKeyring({ keyring }: ImageRecipe): Promise<void> {
  if (existsSync(keyring.path)) return
  throw new ToolError("not_configured", `Cannot check packages: "${keyring.path}" is missing`, {
    hint: `Install it, for instance with: apt-get install ${keyring.package}`,
  })
}

function unknownRecipe(name: string): never {
  const known = Object.keys(imageRecipes)
  const [near] = nearestNames(name, known, 1)
  throw new ToolError("invalid_args", `Cannot build image "${name}": there is no recipe; known: ${known.join(", ")}`, {
    hint: near ? `Did you mean ${near}?` : "Other images can be brought in with: haft box image import NAME ROOTFS.TAR",
  })
}
