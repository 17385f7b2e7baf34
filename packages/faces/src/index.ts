export type {
  CallActions,
  CallPhase,
  CallView,
  Face,
  FaceArguments,
  FaceError,
  FaceProps,
  InspectorProps,
  InteractionAction,
  InterventionProps,
  Locale,
  PlaceholderProps,
  PortalProps,
  RenderProps,
  StreamingProps,
  ToolFaces,
} from "@haft/contract"
export { callLine, callSubject, parsePartialJson } from "@haft/contract"
export { CallCard, type CallProps } from "./call/CallCard.js"
export { CallPortal } from "./call/CallPortal.js"
export { endedCall, phaseOfEnd } from "./call/call-from-envelope.js"
export { type FaceTool, loadFaceTool, unknownTool, useFaceTool } from "./call/face-tool.js"
export { type FailureProps, type ResultProps, resultFaces } from "./call/result-faces.js"
export { ArgumentsEditor, TextField } from "./part/ArgumentsEditor.js"
export { Attachments } from "./part/Attachments.js"
export { Button } from "./part/Button.js"
export { DataTable } from "./part/DataTable.js"
export { DiffTotals, DiffView } from "./part/DiffView.js"
export { Facts } from "./part/Facts.js"
export { FileView } from "./part/FileView.js"
export { Chip, Header } from "./part/Header.js"
export { ImageView } from "./part/ImageView.js"
export { InspectorLine, knownArgs } from "./part/InspectorLine.js"
export { JsonTree } from "./part/JsonTree.js"
export { Link } from "./part/Link.js"
export { Markdown } from "./part/Markdown.js"
export { ModelText } from "./part/ModelEye.js"
export { ErrorNote, Note } from "./part/Note.js"
export { PathTree } from "./part/PathTree.js"
export { PlainText } from "./part/PlainText.js"
export { Preview, PreviewedFile } from "./part/Preview.js"
export { QuestionForm, Review } from "./part/QuestionForm.js"
export { type ResultGroup, type ResultHit, ResultList } from "./part/ResultList.js"
export { Sentence } from "./part/Sentence.js"
export { Skeleton } from "./part/Skeleton.js"
export { Switch } from "./part/Switch.js"
export { Terminal } from "./part/Terminal.js"
export { TextView } from "./part/TextView.js"
export { LadderReason, LadderTable, Why } from "./part/Why.js"
export { type Story, type StoryState, storiesOf, storyStates } from "./story/stories.js"
export { durationText, sizeText } from "./text/amounts.js"
export { diffTotals, readHunks, revertHunks, unifiedHunks, withoutHunks } from "./text/hunks.js"
export { flagAt, listAt, numberAt, recordOf, textAt, textsAt } from "./text/read-data.js"
export { visibleText } from "./text/visible.js"
export { LocaleContext } from "./words/locale.js"
export { defineWords, useSay, useWords, type Words } from "./words/say.js"
export { useSentence } from "./words/sentence.js"
