import { expect, test } from "vitest"
import { wideRoot } from "./wide-root.js"

const places = { home: "/home/me", haftHome: "/data/haft/state", haftConfig: "/home/me/.config/haft" }

test.each([
  ["/", "it is the whole file system"],
  ["/home/me", "it is your home directory"],
  ["/Home/Me", "it is your home directory"],
  ["/home", "it holds your home directory"],
  ["/data", "it holds the state of Haft"],
  ["/data/haft/state", "it holds the state of Haft"],
  ["/data/haft/state/sessions", "it is in the state of Haft"],
  ["/home/me/.config", "it holds the configuration of Haft"],
  ["/etc", "it is a system directory"],
  ["/etc/nginx", "it is a system directory"],
  ["/usr/lib", "it is a system directory"],
  ["/usr/local", "it is a system directory"],
  ["/var", "it is a system directory"],
  ["/opt", "it is a system directory"],
  ["/proc/1", "it is a system directory"],
  ["/System/Library", "it is a system directory"],
])("%s is wide: %s", (path, why) => {
  expect(wideRoot(path, places)).toBe(why)
})

test.each([
  "/home/me/app",
  "/home/me/.config/nvim",
  "/home/men",
  "/data/haft/statement",
  "/srv/project",
  "/tmp/x",
  "/opt/project",
  "/var/www/site",
  "/var/lib/jenkins/workspace/a",
  "/private/var/folders/x",
  "/usr/local/src/a",
  "/usr/src/linux",
  "/libs",
  "/root/project",
])("%s is an ordinary root", (path) => {
  expect(wideRoot(path, places)).toBeUndefined()
})
