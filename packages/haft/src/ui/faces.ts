/** The entry `haft/faces`: the parts and the props for faces of tools. Loaded by pages; nothing else of Haft loads it. */
export * from "@haft/faces"
