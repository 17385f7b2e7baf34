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
