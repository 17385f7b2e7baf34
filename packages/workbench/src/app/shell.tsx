import { ActionIcon, Menu, Tooltip } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { Command, Ellipsis, PanelLeftClose, PanelLeftOpen, TriangleAlert } from "lucide-react"
import { lazy, Suspense, useEffect, useRef, useState } from "react"
import { Notice, Waiting } from "../parts/states.js"
import { useWords } from "../words/words.js"
import { ConnectionBar } from "./connection-bar.js"
import { ErrorBoundary } from "./error-boundary.js"
import { InboxBell } from "./inbox.js"
import { useKeys } from "./keys.js"
import { LookMenu } from "./look-menu.js"
import { setPreferences, usePreferences } from "./preferences.js"
import { go, linkTo, usePlace } from "./router.js"
import { HaftIcon, type Screen, screens } from "./screens.js"
import classes from "./shell.module.css"
import { shellWords } from "./shell.words.js"
import { StatusBar } from "./status-bar.js"

const loadPalette = () => import("./palette.js")
const Palette = lazy(loadPalette)
const KeyHelp = lazy(() => import("./key-help.js"))

/** The frame around every screen: rail, top, screen, status. */
export function Shell() {
  const { path } = usePlace()
  const name = path[0] ?? "run"
  const screen = screens.find((known) => known.name === name)
  const [open, setOpen] = useState<"palette" | "help">()
  const typed = useRef<() => string>(() => "")
  const openPalette = () => {
    if (open !== "palette") typed.current = collectTyped()
    setOpen("palette")
  }
  useKeys({
    palette: openPalette,
    help: () => setOpen("help"),
    search: () => document.querySelector<HTMLInputElement>("[data-search]")?.focus(),
    ...Object.fromEntries(screens.map(({ name }) => [`go ${name}`, () => go(`/${name}`)])),
  })
  const { narrow } = usePreferences()
  useEffect(() => {
    const timer = setTimeout(loadPalette, 1500)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={classes.shell} data-narrow={narrow || undefined}>
      <SkipLink />
      <Rail current={name} />
      <header className={classes.top}>
        <h1 className={classes.where}>
          <ScreenTitle name={name} />
        </h1>
        <SearchButton open={openPalette} />
        <InboxBell />
        <LookMenu />
      </header>
      <main className={classes.main} id="content" tabIndex={-1}>
        <ConnectionBar />
        <ScreenView screen={screen} />
      </main>
      <StatusBar />
      <Suspense>
        {open === "palette" && <Palette typed={() => typed.current()} close={() => setOpen(undefined)} />}
        {open === "help" && <KeyHelp close={() => setOpen(undefined)} />}
      </Suspense>
    </div>
  )
}

/** A user who opens the palette types at once: keys pressed before its field exists belong to it, and are no shortcuts. */
function collectTyped(): () => string {
  let text = ""
  const listen = (event: KeyboardEvent) => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
    text += event.key
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener("keydown", listen, true)
  return () => {
    removeEventListener("keydown", listen, true)
    const all = text
    text = ""
    return all
  }
}

function SkipLink() {
  const words = useWords(shellWords)
  return (
    <a className={classes.skip} href="#content">
      {words.skip}
    </a>
  )
}

function ScreenTitle({ name }: { name: string }) {
  const words = useWords(shellWords)
  const isKnown = Object.hasOwn(words.screens, name)
  const key = name as Screen["name"]
  return (
    <>
      {isKnown ? words.screens[key] : words.notFound}
      {isKnown && <span className={classes.hint}>{words.hints[key]}</span>}
    </>
  )
}

function ScreenView({ screen }: { screen: Screen | undefined }) {
  const words = useWords(shellWords)
  if (!screen)
    return (
      <Notice icon={TriangleAlert} title={words.notFound}>
        {words.notFoundNext}
      </Notice>
    )
  return (
    <ErrorBoundary
      place={screen.name}
      fallback={(error) => (
        <Notice icon={TriangleAlert} tone="bad" title={words.broken}>
          <p>{error.message}</p>
          <p>{words.brokenNext}</p>
        </Notice>
      )}
    >
      <Suspense fallback={<Waiting />}>
        <screen.Component />
      </Suspense>
    </ErrorBoundary>
  )
}

function SearchButton({ open }: { open: () => void }) {
  const words = useWords(shellWords)
  return (
    <button type="button" className={classes.search} onClick={open}>
      <Command size={14} aria-hidden />
      <span className={classes.searchText}>{words.palette}</span>
      <kbd>Ctrl K</kbd>
    </button>
  )
}

// So many fit beside each other on a phone; the others are one tap away.
const onPhone = 4

function Rail({ current }: { current: string }) {
  const words = useWords(shellWords)
  const { narrow } = usePreferences()
  const isPhone = useMediaQuery("(max-width: 760px)", undefined, { getInitialValueInEffect: false }) ?? false
  const shown = isPhone ? screens.slice(0, onPhone) : screens
  return (
    <nav className={classes.rail} aria-label={words.navigation}>
      <a className={classes.brand} {...linkTo("/run")}>
        <HaftIcon size={18} aria-hidden />
        <span className={classes.label}>Haft</span>
      </a>
      <ul className={classes.list}>
        {shown.map((screen) => (
          <li key={screen.name}>
            <RailLink screen={screen} isCurrent={screen.name === current} withTooltip={narrow && !isPhone} />
          </li>
        ))}
        {isPhone && (
          <li>
            <MoreScreens current={current} />
          </li>
        )}
      </ul>
      <ActionIcon
        className={classes.fold}
        onClick={() => setPreferences({ narrow: !narrow })}
        aria-label={narrow ? words.expand : words.collapse}
      >
        {narrow ? <PanelLeftOpen size={16} /> : <PanelLeftClose size={16} />}
      </ActionIcon>
    </nav>
  )
}

function MoreScreens({ current }: { current: string }) {
  const words = useWords(shellWords)
  const others = screens.slice(onPhone)
  const isHere = others.some(({ name }) => name === current)
  return (
    <Menu position="top-end">
      <Menu.Target>
        <button type="button" className={classes.link} data-here={isHere || undefined}>
          <Ellipsis size={16} aria-hidden />
          <span className={classes.label}>{words.more}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {others.map(({ name, icon: Icon }) => (
          <Menu.Item
            key={name}
            component="a"
            leftSection={<Icon size={16} />}
            aria-current={name === current ? "page" : undefined}
            {...linkTo(`/${name}`)}
          >
            {words.screens[name]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function RailLink({ screen, isCurrent, withTooltip }: { screen: Screen; isCurrent: boolean; withTooltip: boolean }) {
  const words = useWords(shellWords)
  const { icon: Icon, name } = screen
  return (
    <Tooltip label={words.screens[name]} position="right" disabled={!withTooltip}>
      <a className={classes.link} aria-current={isCurrent ? "page" : undefined} {...linkTo(`/${name}`)}>
        <Icon size={16} aria-hidden />
        <span className={classes.label}>{words.screens[name]}</span>
      </a>
    </Tooltip>
  )
}
