/** Tables of data, as Markdown has them: one line a row. */
export const tableSource = String.raw`
function createTable(writer) {
  const rows = []
  // How many rows a cell above still reaches down, by column.
  const reaching = []
  let row
  let isHead = false
  return {
    section: (name) => void (isHead = name === "thead"),
    beginRow: () => void (row = { cells: [], isHead, heads: 0 }),
    endRow,
    beginCell: () => writer.beginCell(),
    endCell(element) {
      const text = writer.endCell()
      if (row === undefined) row = { cells: [], isHead: false, heads: 0 }
      skipReached()
      const [across, down] = [span(element, "colspan"), span(element, "rowspan")]
      for (let copy = 0; copy < across && row.cells.length < limits.columns; copy += 1) {
        if (down > 1) reaching[row.cells.length] = down - 1
        row.cells.push(copy === 0 ? text : "")
      }
      if (element.localName === "th") row.heads += 1
    },
    finish() {
      endRow()
      writer.block(2)
      if (rows.length > 0) writer.put(writer.isPlain ? plainRows() : markdownRows())
      writer.block(2)
    },
  }

  function endRow() {
    if (row !== undefined && row.cells.some((cell) => cell !== "")) rows.push(row)
    row = undefined
  }

  function skipReached() {
    while (reaching[row.cells.length] > 0 && row.cells.length < limits.columns) {
      reaching[row.cells.length] -= 1
      row.cells.push("")
    }
  }

  function plainRows() {
    return rows.map(({ cells }) => cells.join(" | ")).join("\n")
  }

  function markdownRows() {
    const [first] = rows
    const hasHead = first.isHead || first.heads === first.cells.length
    const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
    const line = (cells) => "| " + cells.map((cell) => cell.replace(/(?<!\\)\|/g, "\\|")).join(" | ") + " |"
    const blank = (filler) => Array.from({ length: columns }, (_, column) => (hasHead && filler === "" ? (first.cells[column] ?? "") : filler))
    return [line(blank("")), line(blank("---")), ...(hasHead ? rows.slice(1) : rows).map(({ cells }) => line(cells))].join("\n")
  }
}

function span(element, name) {
  const value = Number.parseInt(element.getAttribute(name) ?? "1", 10)
  return value >= 1 ? Math.min(value, limits.columns) : 1
}
`
