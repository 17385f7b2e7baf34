import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const notebook = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "a1",
   "metadata": {},
   "outputs": [],
   "source": [
    "1.0"
   ]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

/** Calls that show what `notebook_edit` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "another source for a cell",
    files: { "a.ipynb": notebook },
    input: { notebook_path: "a.ipynb", cell_id: "a1", new_source: "x = 1\nprint(x)" },
    output: { cell_id: "a1", cell_type: "code", edit_mode: "replace", cell_count: 1 },
    after: { "a.ipynb": notebook.replace('    "1.0"\n', '    "x = 1\\n",\n    "print(x)"\n') },
  },
  {
    name: "a new cell at the end",
    files: { "a.ipynb": notebook },
    input: { notebook_path: "a.ipynb", new_source: "# Title", cell_type: "markdown", edit_mode: "insert" },
    output: { cell_id: "cell-2", cell_type: "markdown", cell_count: 2 },
  },
  {
    name: "a cell that does not exist",
    files: { "a.ipynb": notebook },
    input: { notebook_path: "a.ipynb", cell_id: "a2", edit_mode: "delete" },
    fails: "not_found",
    after: { "a.ipynb": notebook },
  },
  {
    name: "a file that is no notebook",
    files: { "a.ipynb": "{ oops" },
    input: { notebook_path: "a.ipynb", new_source: "x" },
    fails: "unsupported",
    after: { "a.ipynb": "{ oops" },
  },
]
