import { type Commands, type FileReader, ToolError } from "@haft/contract"

/** Names, relative to `top`, whose content the call may not see, whether or not they are there now. */
export async function deniedPaths(
  ports: { readonly commands: Commands; readonly files: FileReader },
  top: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const denied = new Set<string>()
  for (const name of names) if (await isDenied(ports, `${top}/${name}`)) denied.add(name)
  return denied
}

async function isDenied(
  { commands, files }: { readonly commands: Commands; readonly files: FileReader },
  path: string,
): Promise<boolean> {
  if (commands.denies) return commands.denies("fs.read", path)
  // A host that cannot be asked about names still says so when a file is looked at.
  return files.stat(path).then(
    () => false,
    (error) => ToolError.is(error) && error.code === "denied",
  )
}

/** Pathspecs that leave these names out of a command. */
export function excluding(names: Iterable<string>): readonly string[] {
  return Array.from(names, excludingName)
}

function excludingName(name: string): string {
  if (!name.includes(unreadable)) return `:(top,exclude,literal)${name}`
  // Bytes that are no text came out as this character, which git would not find again: anything may be there.
  return `:(top,exclude)${name.replace(/[\\*?[\]]/g, "\\$&").replaceAll(unreadable, "*")}`
}

const unreadable = "\uFFFD"
