"use strict"
// Stands in for "@neon-rs/load" and "detect-libc" inside the bundled libsql: names the native package for this machine.
// The beginning of Node's own file names its loader, which tells the C library it runs on.
const { closeSync, openSync, readSync } = require("node:fs")
const { arch, execPath, platform } = process

exports.currentTarget = () => {
  if (platform === "win32") return `win32-${arch}-msvc`
  if (platform !== "linux") return `${platform}-${arch}`
  const musl = usesMusl()
  return arch === "arm" ? `linux-arm-${musl ? "musleabihf" : "gnueabihf"}` : `linux-${arch}-${musl ? "musl" : "gnu"}`
}
// No answer: the target above is already the right one.
exports.familySync = () => undefined
exports.GLIBC = "glibc"
exports.MUSL = "musl"

function usesMusl() {
  const file = openSync(execPath, "r")
  try {
    const start = Buffer.alloc(4096)
    readSync(file, start, 0, start.length, 0)
    return start.includes("/ld-musl-")
  } finally {
    closeSync(file)
  }
}
