import type { ApiTool } from "@haft/contract"
import { CallCard, CallPortal, type Story } from "@haft/faces"
import { useResource } from "../../api/resource.js"
import { addressOf, linkTo } from "../../app/router.js"
import { useCallTool } from "../../parts/call.js"
import { Loaded } from "../../parts/states.js"
import { toolTitle } from "../../parts/tool-icon.js"
import { useLanguage, useWords } from "../../words/words.js"
import classes from "./gallery.module.css"
import { galleryWords } from "./gallery.words.js"

/** One tool in all states, and its result on the whole page. */
export function ToolStories({ tool, isNarrow }: { tool: ApiTool; isNarrow: boolean }) {
  const words = useWords(galleryWords)
  const language = useLanguage()
  const [stories, retry] = useResource(tool.id, loadStories(tool.id))
  return (
    <>
      <h2 className={classes.title}>
        {toolTitle(tool, language)} <code>{tool.id}</code> <a {...linkTo(addressOf(["run", tool.id]))}>{words.run}</a>
      </h2>
      <Loaded resource={stories} retry={retry}>
        {(list) =>
          list === undefined ? (
            <p>{words.foreign}</p>
          ) : (
            <div className={classes.grid} data-stories data-narrow={isNarrow || undefined}>
              {list.map((story) => (
                <OneStory key={story.state} story={story} />
              ))}
              <Whole stories={list} />
            </div>
          )
        }
      </Loaded>
    </>
  )
}

function OneStory({ story }: { story: Story }) {
  const words = useWords(galleryWords)
  const tool = useCallTool(story.tool)
  return (
    <section className={classes.story} data-state={story.state}>
      <h3>{words.states[story.state]}</h3>
      <CallCard call={story.call} tool={tool} onAnswer={answersNothing} onInteraction={answersNothing} />
    </section>
  )
}

/** The buttons are there to be looked at. */
function answersNothing(): void {}

function Whole({ stories }: { stories: readonly Story[] }) {
  const words = useWords(galleryWords)
  const done = stories.find(({ state }) => state === "ok")!
  const tool = useCallTool(done.tool)
  return (
    <section className={classes.story} data-state="portal">
      <h3>{words.portal}</h3>
      <CallPortal call={done.call} tool={tool} />
    </section>
  )
}

function loadStories(id: string) {
  return async () => (await import("../../session/face-tools.js")).builtinStories(id)
}
