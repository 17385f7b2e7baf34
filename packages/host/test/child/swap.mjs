// Changes what a path leads to as fast as it can: swap.mjs ROOT OUTSIDE
// "d" is a directory, then a link out, with gaps in between; "l" is a link in, then a link out, without any gap.
import { renameSync, symlinkSync } from "node:fs"

const [root, outside] = process.argv.slice(2)
const [place, directory, link] = [`${root}/d`, `${root}/.real`, `${root}/.link`]
symlinkSync(outside, link)
let made = 0
process.stdout.write("ready\n")
for (;;) {
  move(place, directory)
  move(link, place)
  point(outside)
  move(place, link)
  move(directory, place)
  point("s")
}

function move(from, to) {
  for (;;) {
    try {
      renameSync(from, to)
      break
    } catch {
      moveAway(to)
    }
  }
  // What is in place stays a moment, so that the gaps are not all there is to see.
  for (const end = performance.now() + 0.02; performance.now() < end; );
}

/** A writer made a directory in a gap. */
function moveAway(path) {
  try {
    renameSync(path, `${root}/.made-${made++}`)
  } catch {
    // It is gone already.
  }
}

function point(target) {
  symlinkSync(target, `${root}/.next`)
  renameSync(`${root}/.next`, `${root}/l`)
}
