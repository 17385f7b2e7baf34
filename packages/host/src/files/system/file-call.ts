import * as fs from "node:fs"
import { promisify } from "node:util"
import { bestEffort } from "@haft/contract"
import { type FileCall, type Program, smallBytes } from "./program.js"

const later = {
  open: promisify(fs.open),
  fstat: promisify(fs.fstat),
  lstat: promisify(fs.lstat),
  readlink: promisify(fs.readlink),
  realpath: promisify(fs.realpath.native),
  read: promisify(fs.read),
  write: promisify(fs.write),
  mkdir: promisify(fs.mkdir),
  rename: promisify(fs.rename),
  unlink: promisify(fs.unlink),
  rmdir: promisify(fs.rmdir),
  link: promisify(fs.link),
  symlink: promisify(fs.symlink),
  access: promisify(fs.access),
  chmod: promisify(fs.chmod),
  fchmod: promisify(fs.fchmod),
  fchown: promisify(fs.fchown),
  futimes: promisify(fs.futimes),
  close: promisify(fs.close),
}

/** Opens a path and gives the descriptor. */
export function* open(path: string, flags: number, mode?: number): Program<number> {
  return (yield light(
    () => fs.openSync(path, flags, mode),
    () => later.open(path, flags, mode),
  )) as number
}

/** Facts about an open descriptor. */
export function* fstat(descriptor: number): Program<fs.Stats> {
  return (yield light(
    () => fs.fstatSync(descriptor),
    () => later.fstat(descriptor),
  )) as fs.Stats
}

/** Facts about a path itself, undefined when nothing is there. */
export function* lstat(path: string): Program<fs.Stats | undefined> {
  return (yield light(
    () => fs.lstatSync(path, { throwIfNoEntry: false }),
    () => later.lstat(path).catch(undefinedWhenMissing),
  )) as fs.Stats | undefined
}

/** The text of a symbolic link. */
export function* readlink(path: string): Program<string> {
  return (yield light(
    () => fs.readlinkSync(path),
    () => later.readlink(path),
  )) as string
}

/** The path with every link followed, as the operating system sees it. */
export function* realpath(path: string): Program<string> {
  return (yield light(
    () => fs.realpathSync.native(path),
    () => later.realpath(path),
  )) as string
}

/** Makes one directory. */
export function* mkdir(path: string, mode: number): Program<void> {
  yield light(
    () => fs.mkdirSync(path, { mode }),
    () => later.mkdir(path, { mode }),
  )
}

/** Renames within one file system. */
export function* rename(from: string, to: string): Program<void> {
  yield light(
    () => fs.renameSync(from, to),
    () => later.rename(from, to),
  )
}

/** Removes a name. */
export function* unlink(path: string): Program<void> {
  yield light(
    () => fs.unlinkSync(path),
    () => later.unlink(path),
  )
}

/** Removes a directory that is empty. */
export function* rmdir(path: string): Program<void> {
  yield light(
    () => fs.rmdirSync(path),
    () => later.rmdir(path),
  )
}

/** Makes a symbolic link with this text. */
export function* symlink(text: string, path: string): Program<void> {
  yield light(
    () => fs.symlinkSync(text, path),
    () => later.symlink(text, path),
  )
}

/** Gives a file a second name. */
export function* link(from: string, to: string): Program<void> {
  yield light(
    () => fs.linkSync(from, to),
    () => later.link(from, to),
  )
}

/** Throws unless the path may be written by this process. */
export function* assertWritable(path: string): Program<void> {
  yield light(
    () => fs.accessSync(path, fs.constants.W_OK),
    () => later.access(path, fs.constants.W_OK),
  )
}

/** Sets the permission bits of what a path resolves to. */
export function* chmod(path: string, mode: number): Program<void> {
  yield light(
    () => fs.chmodSync(path, mode),
    () => later.chmod(path, mode),
  )
}

/** Sets the permission bits of an open file. */
export function* fchmod(descriptor: number, mode: number): Program<void> {
  yield light(
    () => fs.fchmodSync(descriptor, mode),
    () => later.fchmod(descriptor, mode),
  )
}

/** Sets owner and group of an open file. */
export function* fchown(descriptor: number, uid: number, gid: number): Program<void> {
  yield light(
    () => fs.fchownSync(descriptor, uid, gid),
    () => later.fchown(descriptor, uid, gid),
  )
}

/** Gives an open file the times of another one. */
export function* keepTimes(descriptor: number, { atimeMs, mtimeMs }: fs.Stats): Program<void> {
  yield light(
    () => fs.futimesSync(descriptor, atimeMs / 1000, mtimeMs / 1000),
    () => later.futimes(descriptor, atimeMs / 1000, mtimeMs / 1000),
  )
}

/** Closes a descriptor; a write may fail as late as here on a remote file system. */
export function* close(descriptor: number): Program<void> {
  yield light(
    () => fs.closeSync(descriptor),
    () => later.close(descriptor),
  )
}

/** Closes a descriptor whose content nobody waits for. */
export function closeQuietly(descriptor: number): void {
  bestEffort("the descriptor is gone already", () => fs.closeSync(descriptor))
}

/** Up to `length` bytes from `position`; fewer only at the end of the file. */
export function* readFully(descriptor: number, length: number, position: number): Program<Buffer> {
  // Not from the shared pool: a small slice that is kept would keep its whole pool alive.
  const buffer = Buffer.allocUnsafeSlow(length)
  let filled = 0
  while (filled < length) {
    const count = (yield {
      now: () => fs.readSync(descriptor, buffer, filled, length - filled, position + filled),
      later: async () => (await later.read(descriptor, buffer, filled, length - filled, position + filled)).bytesRead,
      heavy: length > smallBytes,
    }) as number
    if (count === 0) return buffer.subarray(0, filled)
    filled += count
  }
  return buffer
}

/** Writes all bytes from the beginning of the file. */
export function writeFully(descriptor: number, bytes: Uint8Array): Program<void> {
  return writeAt(descriptor, bytes, 0)
}

/** Writes all bytes from a place in the file on. */
export function* writeAt(descriptor: number, bytes: Uint8Array, start: number): Program<void> {
  let written = 0
  while (written < bytes.length) {
    const place = () => [written, bytes.length - written, start + written] as const
    written += (yield {
      now: () => fs.writeSync(descriptor, bytes, ...place()),
      later: async () => (await later.write(descriptor, bytes, ...place())).bytesWritten,
      heavy: bytes.length > smallBytes,
    }) as number
  }
}

function light(now: () => unknown, laterCall: () => Promise<unknown>): FileCall {
  return { now, later: laterCall, heavy: false }
}

function undefinedWhenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined
  throw error
}
