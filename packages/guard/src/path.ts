/**
 * A path as a file system that ignores case and normalisation would compare it. Folds too much rather than too
 * little: it is used where a false match only means a question or a refusal.
 */
export function fold(path: string): string {
  return other.test(path) ? foldUnicode(path) : path.toLowerCase()
}

const other = /[^\x00-\x7f]/

// Some file systems skip these when they compare names, so ".g\u200Cit" can open ".git".
const ignorable = /\p{Default_Ignorable_Code_Point}/gu

function foldUnicode(path: string): string {
  // Upper case first: "ſ" and "K" (Kelvin) become the plain letters that they are compared with. The final sigma depends on its neighbours.
  return path.replace(ignorable, "").normalize("NFC").toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFC")
}

/** The parts of an absolute path; none for the root. */
export function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "")
}

/** The last part of an absolute path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}

/** The absolute, normalised path that a path means when it is used in a folder. Links are not followed. */
export function joinPath(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  return `/${parts.join("/")}`
}
