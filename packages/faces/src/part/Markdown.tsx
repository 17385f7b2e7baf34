import { Fragment, type ReactNode, useMemo } from "react"
import { type Block, type Inline, parseMarkdown } from "../text/markdown.js"
import { labelText } from "../text/visible.js"
import { useSay } from "../words/say.js"
import { FileView } from "./FileView.js"
import { Link } from "./Link.js"
import { PlainText } from "./PlainText.js"

/** Markdown as elements. HTML in it is text, images elsewhere are named and not loaded, links open nothing by themselves. */
export function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => parseMarkdown(text.slice(0, 300_000)), [text])
  return (
    <div className="haft-markdown">
      <Blocks blocks={blocks} />
    </div>
  )
}

function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a block has no other name than its place.
    <Fragment key={index}>{drawBlock(block)}</Fragment>
  ))
}

function drawBlock(block: Block): ReactNode {
  switch (block.type) {
    case "heading":
      // No <h1> to <h6>: whatever its level, it ranks below the headings of the page.
      return (
        <p className="haft-heading" data-level={block.level}>
          <Inlines inline={block.inline} />
        </p>
      )
    case "paragraph":
      return (
        <p>
          <Inlines inline={block.inline} />
        </p>
      )
    case "code":
      return <FileView text={block.text} path={block.language.split(/\s/)[0] || "text"} />
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      )
    case "list": {
      const List = block.ordered ? "ol" : "ul"
      return (
        <List>
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an item has no other name than its place.
            <li key={index}>
              <Blocks blocks={item} />
            </li>
          ))}
        </List>
      )
    }
    case "table":
      return <MarkdownTable head={block.head} rows={block.rows} />
    case "rule":
      return <hr />
  }
}

function MarkdownTable({ head, rows }: Pick<Extract<Block, { type: "table" }>, "head" | "rows">) {
  return (
    <div className="haft-scroll">
      <table className="haft-table">
        <thead>
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other name than its place.
              <th key={index}>
                <Inlines inline={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name than its place.
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other name than its place.
                <td key={column}>
                  <Inlines inline={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Inlines({ inline }: { readonly inline: readonly Inline[] }) {
  return inline.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no other name than its place.
    <Fragment key={index}>{drawInline(piece)}</Fragment>
  ))
}

function drawInline(piece: Inline): ReactNode {
  switch (piece.type) {
    case "text":
      return <PlainText text={piece.text} max={20_000} />
    case "code":
      return (
        <code>
          <PlainText text={piece.text} />
        </code>
      )
    case "strong":
      return (
        <strong>
          <Inlines inline={piece.inline} />
        </strong>
      )
    case "emphasis":
      return (
        <em>
          <Inlines inline={piece.inline} />
        </em>
      )
    case "strike":
      return (
        <del>
          <Inlines inline={piece.inline} />
        </del>
      )
    case "link":
      return (
        <Link address={piece.address}>
          <Inlines inline={piece.inline} />
        </Link>
      )
    case "image":
      return <RemoteImage address={piece.address} text={piece.text} />
  }
}

function RemoteImage({ address, text }: { readonly address: string; readonly text: string }) {
  const say = useSay()
  return (
    <span className="haft-chip" title={labelText(address)}>
      {say("image")}: <PlainText text={text || say("remoteImage", { address })} max={300} />
    </span>
  )
}
