/**
 * Whether any server might understand a path as leading out of where it begins: `..` in whatever spelling, decoded more than
 * once, followed by whatever servers cut off.
 */
export function climbsOut(pathname: string): boolean {
  // What is no text is read differently by each server.
  if (!isText(pathname)) return true
  let plain = pathname
  for (let round = 0; round < maxRounds; round += 1) {
    const decoded = plain.replace(/%([0-9a-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
    if (decoded === plain) return climbs.test(plain)
    plain = decoded
  }
  return true
}

// A slash in the name of a package is encoded once, by some clients twice.
const maxRounds = 8

// A control character may end a name where a server is written in C.
const climbs = /(?:^|[\\/])\.\.|[\0-\x1f\x7f]/

function isText(pathname: string): boolean {
  try {
    decodeURIComponent(pathname)
    return true
  } catch {
    return false
  }
}
