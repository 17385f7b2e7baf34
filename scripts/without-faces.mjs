/** Leaves the faces of tools out of a bundle for Node (an esbuild plugin): only pages draw them, and they bring React. */
export const withoutFaces = {
  name: "without-faces",
  setup(builder) {
    builder.onResolve({ filter: /\/ui\/[\w-]+-faces\.js$/ }, () => ({ path: "faces", namespace: "without-faces" }))
    builder.onLoad({ filter: /.*/, namespace: "without-faces" }, () => ({ contents: "export const faces = {}" }))
  },
}
