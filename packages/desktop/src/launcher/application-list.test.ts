import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createApplicationList, defaultApplicationFolders, parseDesktopEntry } from "./application-list.js"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "haft-applications-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
}

const entry = (name: string, more = "") => `[Desktop Entry]\nType=Application\nName=${name}\nExec=x\n${more}`
const shown = async (...folders: readonly string[]) =>
  (await createApplicationList(folders.map((each) => join(folder, each))).read())
    .map(({ id, name }) => `${id}: ${name}`)
    .sort()

describe("desktop files", () => {
  test("the name, and the names in other languages that it is found by", async () => {
    await put(
      "a/org.gnome.Files.desktop",
      entry("Files", "Name[zh_CN]=文件\nName[de]=Dateien\nGenericName=File Manager\n"),
    )
    const [item] = await createApplicationList([join(folder, "a")]).read()
    expect(item).toMatchObject({ id: "app_org.gnome.Files", name: "Files", type: "application" })
    expect(item!.texts.map(({ written }) => written)).toEqual(["Files", "文件", "File Manager"])
  })

  test("what is hidden, is no application or is broken is not listed", async () => {
    await put("a/one.desktop", entry("One", "NoDisplay=true\n"))
    await put("a/two.desktop", entry("Two", "Hidden=true\n"))
    await put("a/three.desktop", "[Desktop Entry]\nType=Link\nName=Three\n")
    await put("a/four.desktop", "[Desktop Entry]\nType=Application\n")
    await put("a/five.desktop", "\0\0\0")
    await put("a/readme.txt", entry("Six"))
    await mkdir(join(folder, "a", "seven.desktop"))
    await put("a/eight.desktop", `${entry("Eight")}X=${"x".repeat(300_000)}`)
    await put("a/nine.desktop", entry("Nine", "OnlyShowIn=KDE;\n"))
    expect(await shown("a", "missing")).toEqual(["app_nine: Nine"])
  })

  test("the first folder wins, also to hide; folders below are part of the id", async () => {
    await put("own/browser.desktop", entry("My Browser"))
    await put("own/old.desktop", entry("Old", "Hidden=true\n"))
    await put("system/browser.desktop", entry("Browser"))
    await put("system/old.desktop", entry("Old"))
    await put("system/kde/konsole.desktop", entry("Konsole"))
    expect(await shown("own", "system")).toEqual(["app_browser: My Browser", "app_kde-konsole: Konsole"])
  })

  test("a file that changed is read again, and one that is gone is forgotten", async () => {
    await put("a/x.desktop", entry("Before"))
    await put("a/y.desktop", entry("Gone"))
    const list = createApplicationList([join(folder, "a")])
    expect((await list.read()).map(({ name }) => name)).toEqual(["Before", "Gone"])
    await put("a/x.desktop", entry("Afterwards"))
    await rm(join(folder, "a/y.desktop"))
    expect((await list.read()).map(({ name }) => name)).toEqual(["Afterwards"])
  })

  test("actions further down do not rename the application, and escapes become plain", () => {
    const text = `\ufeff# note\r\n[Desktop Entry]\r\nName = Two\\sWords\\nhere \r\nType=Application\r\n[Desktop Action new]\r\nName=New Window\r\n`
    expect(parseDesktopEntry(text)).toEqual({ name: "Two Words here", otherNames: [], shown: true })
  })

  test("no text makes the reader fail", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseDesktopEntry(entry(text, text))))
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseDesktopEntry(text)))
  })
})

test("macOS bundles and Windows shortcuts are known by their names", async () => {
  await mkdir(join(folder, "Applications/Utilities/Terminal.app/Contents"), { recursive: true })
  await mkdir(join(folder, "Applications/Safari.app/Contents/Inner.app"), { recursive: true })
  await put("Programs/Accessories/Notepad.lnk", "binary")
  expect(await shown("Applications", "Programs")).toEqual([
    "app_Accessories-Notepad: Notepad",
    "app_Safari: Safari",
    "app_Utilities-Terminal: Terminal",
  ])
})

test("a folder that is linked into itself ends", async () => {
  await put("a/x.desktop", entry("X"))
  const { symlink } = await import("node:fs/promises")
  await symlink("..", join(folder, "a", "again"))
  expect(await shown("a")).toEqual(["app_x: X"])
})

describe("the folders of each system", () => {
  const home = "/home/me"
  test("Linux: own, shared, flatpak, snap", () => {
    expect(defaultApplicationFolders({ platform: "linux", environment: {}, home })).toEqual([
      "/home/me/.local/share/applications",
      "/usr/local/share/applications",
      "/usr/share/applications",
      "/home/me/.local/share/flatpak/exports/share/applications",
      "/var/lib/flatpak/exports/share/applications",
      "/var/lib/snapd/desktop/applications",
    ])
    const environment = { XDG_DATA_HOME: "/data", XDG_DATA_DIRS: "/x:relative::/y" }
    expect(defaultApplicationFolders({ platform: "linux", environment, home }).slice(0, 3)).toEqual([
      "/data/applications",
      "/x/applications",
      "/y/applications",
    ])
  })
  test("macOS and Windows", () => {
    expect(defaultApplicationFolders({ platform: "darwin", environment: {}, home })).toContain("/Applications")
    const environment = { APPDATA: "C:\\Users\\me\\AppData\\Roaming", ProgramData: "C:\\ProgramData" }
    expect(defaultApplicationFolders({ platform: "win32", environment, home })).toEqual([
      "C:\\Users\\me\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs",
      "C:\\ProgramData\\Microsoft\\Windows\\Start Menu\\Programs",
    ])
  })
})
