import { Sentence } from "@haft/faces"
import { Badge } from "@mantine/core"
import { BookOpen } from "lucide-react"
import { api } from "../../api/client.js"
import { useResource } from "../../api/resource.js"
import page from "../../parts/page.module.css"
import { Loaded, Notice } from "../../parts/states.js"
import { useWords } from "../../words/words.js"
import { skillsWords } from "./skills.words.js"

/** The skills that an agent finds here, and those that could not be read. */
export default function SkillsScreen() {
  const words = useWords(skillsWords)
  const [skills, retry] = useResource("skills", api.skills)
  return (
    <div className={page.page}>
      <p className={page.lead}>{words.what}</p>
      <Loaded resource={skills} retry={retry}>
        {({ skills, problems }) => (
          <>
            {skills.length === 0 && (
              <Notice icon={BookOpen} title={words.none}>
                {words.noneNext}
              </Notice>
            )}
            {skills.map((skill) => (
              <article key={skill.path} className={page.card}>
                <h2>
                  {skill.name} <Badge color="gray">{words.sources[skill.source]}</Badge>
                  {skill.version !== undefined && <Badge color="gray">{skill.version}</Badge>}
                </h2>
                <p>{skill.description}</p>
                {skill.allowedTools.length > 0 && (
                  <p className={page.soft}>
                    {words.wants}: <code>{skill.allowedTools.join(" ")}</code>
                  </p>
                )}
                <p className={page.soft}>
                  <code>{skill.path}</code>
                </p>
              </article>
            ))}
            {problems.map(({ path, problem }) => (
              <Notice key={path} icon={BookOpen} tone="bad" title={words.broken}>
                <p>
                  <Sentence text={problem} />
                </p>
                <code>{path}</code>
              </Notice>
            ))}
          </>
        )}
      </Loaded>
    </div>
  )
}
