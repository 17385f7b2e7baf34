import { lstatSync } from "node:fs"

/** Which file it is: numbers of files are given again, times of birth are not. Undefined where nothing can be seen. */
export function fileStamp(path: string): string | undefined {
  try {
    const facts = lstatSync(path, { throwIfNoEntry: false, bigint: true })
    return facts && `${facts.dev}:${facts.ino}:${facts.birthtimeNs}`
  } catch {
    return undefined
  }
}
