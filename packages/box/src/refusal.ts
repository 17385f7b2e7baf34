import { type BoxLevel, boxLevels, ToolError } from "@haft/contract"
import { fileError } from "@haft/host"
import { imageRecipes } from "./image/recipes.js"

/** What trying one backend for real showed. */
export interface BoxProbe {
  readonly backend: string
  readonly level: BoxLevel
  readonly ok: boolean
  /** Why it cannot be used. */
  readonly why?: string
}

const installCommand = "apt-get install qemu-system-x86 bubblewrap mmdebstrap"

/** The refusal of an image that is not installed. No image replaces another one. */
export function imageMissing(image: string, installed: readonly string[]): ToolError {
  const have = installed.length === 0 ? "no image is installed" : `installed: ${installed.join(", ")}`
  return new ToolError("not_configured", `Cannot use image "${image.slice(0, 100)}": it is not installed; ${have}`, {
    ...(installed.length > 0 && { hint: { say: "Name an installed one as {key:image}" } }),
    fix: imageFix(image, installed),
    details: { ok: false, reason: "BOX_IMAGE_MISSING", image, installed, ran: false },
  })
}

/** Only commands that can work: a name without a recipe cannot be built. */
function imageFix(image: string, installed: readonly string[]): string {
  const build = (name: string) => `haft box image build ${name}, then: haft box image warm ${name}`
  const choose = "haft config set box.defaultImage NAME chooses the image of calls that name none"
  if (installed.length === 0) return `Build one with: ${build("debian-12")}; ${choose}`
  const own = Object.hasOwn(imageRecipes, image) ? `, or build this one with: ${build(image)}` : ""
  return `Name an installed image${own}; ${choose}`
}

/** The refusal of an image whose files are not those that were built. */
export function imageChanged(image: string, file: string): ToolError {
  return new ToolError("not_configured", `Cannot use image "${image}": "${file}" is not what was built`, {
    fix: `Build it again with: haft box image build ${image}`,
    details: { ok: false, reason: "BOX_IMAGE_CHANGED", image, file, ran: false },
  })
}

/** The refusal of an image whose start was made by another version of Haft. */
export function imageOutdated(image: string): ToolError {
  return new ToolError("not_configured", `Cannot use image "${image}": it was made for another version of Haft`, {
    fix: `Renew it with: haft box image warm ${image}`,
    details: { ok: false, reason: "BOX_IMAGE_OUTDATED", image, ran: false },
  })
}

/** The refusal of an image that lacks what every guest needs now: only a new build has it. */
export function imageTooOld(image: string): ToolError {
  return new ToolError("not_configured", `Cannot renew image "${image}": it was built by an older version of Haft`, {
    fix: `Build it again with: haft box image build ${image}`,
    details: { ok: false, reason: "BOX_IMAGE_OUTDATED", image, ran: false },
  })
}

/** The refusal where nothing isolates as strongly as was asked for. Nothing weaker is used instead. */
export function isolationUnavailable(asked: string, probes: readonly BoxProbe[]): ToolError {
  const best = boxLevels.find((level) => probes.some((probe) => probe.ok && probe.level === level)) ?? "none"
  // Both kinds of machine are one promise; what would be too weak anyway is in the details only.
  const least = boxLevels.findIndex((level) => level === (asked === "vm" ? "vm-emulated" : asked))
  const wanted = probes.filter(({ ok, level }) => !ok && boxLevels.indexOf(level) <= least)
  const reasons = wanted.map(({ backend, why }) => `${backend}: ${why}`)
  return new ToolError(
    "not_configured",
    `Cannot open a box: no backend isolates as "${asked}" (${reasons.join("; ")})`,
    {
      hint: "Nothing weaker is used instead: go on without it, or tell the person what is missing",
      details: {
        ok: false,
        reason: "BOX_ISOLATION_UNAVAILABLE",
        asked,
        best_available: best,
        probes: probes.map(({ backend, ok, why }) => ({ backend, ok, ...(why !== undefined && { why }) })),
        fix: [installCommand, "haft box image build debian-12", "haft box image warm debian-12"],
        ran: false,
      },
    },
  )
}

/** The failure of a box whose command and files could not be written down, for instance because the disk is full. */
export function boxUnfilled(error: unknown, folder: string): ToolError {
  const { code, message, hint, fix } = fileError(error, "put what the box needs into", folder)
  return new ToolError(code, message, {
    cause: error,
    hint,
    fix,
    details: { ok: false, reason: "BOX_CRASHED", ran: false },
  })
}

/** The failure of a machine that ended without an exit code. It is never reported as an exit code of the command. */
export function boxCrashed(reason: string, facts: { readonly words: string; readonly ran: boolean }): ToolError {
  const words = facts.words === "" ? "" : ` (${facts.words.split("\n").at(-1)!.slice(0, 300)})`
  return new ToolError("backend", `Cannot tell how the command in the box ended: ${reason}${words}`, {
    hint: facts.ran ? "It may have run in part; the machine is gone" : "Nothing was run: try again once",
    ...(facts.ran ? {} : { fix: "See what is wrong with: haft box doctor" }),
    details: { ok: false, reason: "BOX_CRASHED", why: reason, ran: facts.ran },
  })
}

/** What to do about a backend that fails, where that is known. */
export function probeFix({ why }: Pick<BoxProbe, "why">): string | undefined {
  const missing = /^(\S+)(?: or \S+)* not found$/.exec(why ?? "")?.[1]
  return missing === undefined ? undefined : `apt-get install ${packageOf(missing)}`
}

/** The package of a program, as Debian calls it. */
export function packageOf(program: string): string {
  return packages[program] ?? program
}

const packages: Readonly<Record<string, string>> = {
  "qemu-system-x86_64": "qemu-system-x86",
  bwrap: "bubblewrap",
  prlimit: "util-linux",
  setpriv: "util-linux",
  debugfs: "e2fsprogs",
  mke2fs: "e2fsprogs",
  "dpkg-deb": "dpkg",
}
