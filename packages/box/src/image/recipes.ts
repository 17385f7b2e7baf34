/** How an image is put together from a distribution's packages. */
export interface ImageRecipe {
  readonly suite: string
  readonly components: string
  /** The package whose dependency is the kernel; small kernels for virtual machines boot fastest. */
  readonly kernelPackage: string
  /** Key ring of the distribution, and the package that brings it. */
  readonly keyring: { readonly path: string; readonly package: string }
  readonly include: readonly string[]
}

const debianKeyring = {
  path: "/usr/share/keyrings/debian-archive-keyring.gpg",
  package: "debian-archive-keyring",
} as const

const ubuntuKeyring = {
  path: "/usr/share/keyrings/ubuntu-archive-keyring.gpg",
  package: "ubuntu-keyring",
} as const

function debian(suite: string): ImageRecipe {
  return {
    suite,
    components: "main",
    kernelPackage: "linux-image-cloud-amd64",
    keyring: debianKeyring,
    include: ["python3"],
  }
}

/** The images that can be built, by name. A name always means that distribution. */
export const imageRecipes: Readonly<Record<string, ImageRecipe>> = {
  "debian-12": debian("bookworm"),
  "debian-13": debian("trixie"),
  "ubuntu-22.04": {
    suite: "jammy",
    components: "main,universe",
    kernelPackage: "linux-image-virtual",
    keyring: ubuntuKeyring,
    include: ["python3"],
  },
}
