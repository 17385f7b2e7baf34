import { bigStatsOf } from "../../files/system/look.js"

/** Which file it is: numbers of files are given again, times of birth are not. Undefined where nothing can be seen. */
export function fileStamp(path: string): string | undefined {
  const facts = bigStatsOf(path)
  return facts && `${facts.dev}:${facts.ino}:${facts.birthtimeNs}`
}
