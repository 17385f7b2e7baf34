import { ToolError, type Wall, type WallProfile } from "@haft/contract"

/** The wall of a grant, or a narrower one where a command asks for less than its call may do. */
export function narrowWall(wall: Wall, asked: WallProfile | undefined): Wall {
  if (asked === undefined || asked === wall.profile) return wall
  if (!narrower[wall.profile].includes(asked)) {
    throw new ToolError(
      "denied",
      `Cannot run a command in the sandbox "${asked}": the call was given "${wall.profile}"`,
    )
  }
  const { outside, ...rest } = wall
  const narrowed = { ...rest, profile: asked, hosts: [], unconfined: false }
  return outside && asked !== "look" ? { ...narrowed, outside } : narrowed
}

const narrower: Readonly<Record<WallProfile, readonly WallProfile[]>> = {
  look: [],
  work: ["look"],
  "work+net": ["look", "work"],
  serve: ["look"],
}
