import { createTheme, type MantineColorsTuple } from "@mantine/core"

// The one accent of the page; states have the colours of tokens.css.
const accent: MantineColorsTuple = [
  "#eef0ff",
  "#dfe2ff",
  "#bcc2ff",
  "#969ffd",
  "#7a83f8",
  "#6169f2",
  "#4f55e6",
  "#4348cc",
  "#373ba8",
  "#2b2f86",
]

// The neutrals of the dark theme, brightest first; the kit takes grounds and lines of components from them.
const dark: MantineColorsTuple = [
  "#e6e8ec",
  "#c3c8d1",
  "#a0a7b4",
  "#7b8392",
  "#3b404b",
  "#2a2e37",
  "#1b1e25",
  "#14161b",
  "#0f1115",
  "#0b0d10",
]

/** The look of every component: one type scale, one spacing scale, one radius, one accent. */
export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: 6,
  colors: { accent, dark },
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  lineHeights: { xs: "1.4", sm: "1.45", md: "1.5", lg: "1.5", xl: "1.4" },
  spacing: { xs: "4px", sm: "8px", md: "12px", lg: "16px", xl: "24px" },
  radius: { xs: "3px", sm: "5px", md: "7px", lg: "10px", xl: "16px" },
  defaultRadius: "sm",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: "xs" } },
    TextInput: { defaultProps: { size: "xs" } },
    Textarea: { defaultProps: { size: "xs" } },
    Select: { defaultProps: { size: "xs", allowDeselect: false, comboboxProps: { transitionProps: { duration: 0 } } } },
    Checkbox: { defaultProps: { size: "xs" } },
    SegmentedControl: { defaultProps: { size: "xs" } },
    Badge: { defaultProps: { size: "sm", variant: "light", radius: "sm", tt: "none" } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true, transitionProps: { duration: 0 } } },
    // Its placeholder for the focus is an element that a menu may not have.
    Menu: { defaultProps: { transitionProps: { duration: 0 }, shadow: "md", withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { transitionProps: { duration: 0 }, shadow: "md" } },
    Modal: { defaultProps: { transitionProps: { duration: 0 } } },
    Drawer: { defaultProps: { transitionProps: { duration: 0 } } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray", size: 28 } },
  },
})
