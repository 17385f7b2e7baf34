import { join } from "node:path"

/** Where the images of boxes stand below the folder of Haft's state. */
export function boxImagesFolder(home: string): string {
  return join(home, "box", "images")
}
