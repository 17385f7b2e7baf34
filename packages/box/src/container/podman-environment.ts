/** The variables of podman itself: where its state is, and no settings that could add to a container. */
export function podmanEnvironment(folders: readonly string[]): Record<string, string> {
  const { HOME = "/", XDG_RUNTIME_DIR } = process.env
  return {
    PATH: folders.join(":"),
    HOME,
    LANG: "C.UTF-8",
    ...(XDG_RUNTIME_DIR !== undefined && { XDG_RUNTIME_DIR }),
    // Settings of users add folders, variables and devices to every container.
    CONTAINERS_CONF: "/dev/null",
  }
}
