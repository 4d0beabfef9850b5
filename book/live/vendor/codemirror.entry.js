export { EditorView, keymap } from "@codemirror/view";
export { EditorState } from "@codemirror/state";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { indentOnInput, indentUnit, bracketMatching, syntaxHighlighting } from "@codemirror/language";
export { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
export { python } from "@codemirror/lang-python";
export { classHighlighter } from "@lezer/highlight";
