export { visible, visibleLine } from "@haft/guard"
