// Nobody could type into an editor, and most of them wait for ever or leave a file as it was, which looks like success.
const noEditor = `sh -c 'echo "No editor can be opened here: nobody is at a terminal. Give the text with an option or a file" >&2; exit 1'`

/** Variables that keep programs from waiting for somebody to type a password, to edit or to page through a text. */
export const quietEnvironment: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  SSH_ASKPASS_REQUIRE: "never",
  EDITOR: noEditor,
  VISUAL: noEditor,
}
