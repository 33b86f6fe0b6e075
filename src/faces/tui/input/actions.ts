/**
 * What keys do, as data. Rows of the same key are tried in this order; one whose condition does not hold, or that its face
 * turns down, leaves the key to the next. Every row can be given other keys with `display.keys`.
 */
export interface KeyAction {
  readonly name: ActionName;
  /** As `canonicalKey` writes them. */
  readonly keys: readonly string[];
  readonly description: string;
  /** Only then it applies. */
  readonly when?: KeyCondition;
  /** `always`: also while a question or a picker has the keys. `editor`: done by the editor itself. */
  readonly scope?: 'always' | 'editor';
  /** What the editor calls it. */
  readonly editorName?: string;
}
/** A menu of completions is shown; the editor is empty; a turn is running. */
export type KeyCondition = 'menu' | 'empty' | 'busy';

const FACE = [
  { name: 'redraw', keys: ['ctrl+l'], description: 'Draw the screen again', scope: 'always' },
  { name: 'suspend', keys: ['ctrl+z'], description: 'Suspend the program', scope: 'always' },
  { name: 'accept_completion', keys: ['tab'], description: 'Accept the completion', when: 'menu' },
  { name: 'accept_selected', keys: ['enter'], description: 'Accept the completion you moved to', when: 'menu' },
  { name: 'completion_up', keys: ['up', 'shift+tab'], description: 'Previous completion', when: 'menu' },
  { name: 'completion_down', keys: ['down'], description: 'Next completion', when: 'menu' },
  { name: 'close_completion', keys: ['escape'], description: 'Close the completions', when: 'menu' },
  { name: 'stop', keys: ['escape'], description: 'Stop the turn', when: 'empty' },
  { name: 'take_back', keys: ['up'], description: 'Take the last waiting message back', when: 'empty' },
  { name: 'complete', keys: ['tab'], description: 'Complete the word, or accept the suggestion' },
  { name: 'submit', keys: ['enter'], description: 'Send the message' },
  { name: 'new_line', keys: ['escape enter', 'alt+enter', 'ctrl+j', 'shift+enter'], description: 'Insert a new line' },
  { name: 'queue', keys: ['alt+q'], description: 'Send the message after the running turn' },
  { name: 'steer', keys: ['alt+s'], description: 'Send the message into the running turn' },
  { name: 'interrupt', keys: ['ctrl+c'], description: 'Stop the turn, clear the text; twice: exit' },
  { name: 'exit', keys: ['ctrl+d'], description: 'Exit', when: 'empty' },
  { name: 'external_editor', keys: ['ctrl+g', 'ctrl+x ctrl+e'], description: 'Edit the text in $EDITOR' },
  { name: 'stash', keys: ['ctrl+s'], description: 'Set the draft aside, or bring it back' },
  { name: 'viewer', keys: ['ctrl+o'], description: 'View the conversation with all details' },
  { name: 'history_search', keys: ['ctrl+r'], description: 'Search what you sent before' },
  { name: 'thinking', keys: ['ctrl+t'], description: 'Show or fold thinking' },
  { name: 'palette', keys: ['ctrl+p'], description: 'Find a command' },
  { name: 'remove_image', keys: ['backspace'], description: 'Take the last attached image away', when: 'empty' },
  { name: 'paste_image', keys: ['ctrl+v', 'alt+v'], description: 'Attach the image in the clipboard' },
] as const satisfies readonly FaceRow[];

const EDITOR = [
  { name: 'undo', keys: ['ctrl+-'], description: 'Undo the last change', editorName: 'undo' },
  { name: 'cursor_left', keys: ['left', 'ctrl+b'], description: 'Move left', editorName: 'cursorLeft' },
  { name: 'cursor_right', keys: ['right', 'ctrl+f'], description: 'Move right', editorName: 'cursorRight' },
  { name: 'cursor_up', keys: ['up'], description: 'Move up, or recall an earlier message', editorName: 'cursorUp' },
  { name: 'cursor_down', keys: ['down'], description: 'Move down, or recall a later message', editorName: 'cursorDown' },
  { name: 'word_left', keys: ['alt+left', 'ctrl+left', 'alt+b'], description: 'Move a word left', editorName: 'cursorWordLeft' },
  { name: 'word_right', keys: ['alt+right', 'ctrl+right', 'alt+f'], description: 'Move a word right', editorName: 'cursorWordRight' },
  { name: 'line_start', keys: ['home', 'ctrl+a'], description: 'Move to the start of the line', editorName: 'cursorLineStart' },
  { name: 'line_end', keys: ['end', 'ctrl+e'], description: 'Move to the end of the line', editorName: 'cursorLineEnd' },
  { name: 'page_up', keys: ['pageup'], description: 'Move a page up', editorName: 'pageUp' },
  { name: 'page_down', keys: ['pagedown'], description: 'Move a page down', editorName: 'pageDown' },
  { name: 'delete_left', keys: ['backspace'], description: 'Delete the character before the cursor', editorName: 'deleteCharBackward' },
  { name: 'delete_right', keys: ['delete', 'ctrl+d'], description: 'Delete the character at the cursor', editorName: 'deleteCharForward' },
  { name: 'delete_word_left', keys: ['ctrl+w', 'alt+backspace'], description: 'Delete a word left', editorName: 'deleteWordBackward' },
  { name: 'delete_word_right', keys: ['alt+d', 'alt+delete'], description: 'Delete a word right', editorName: 'deleteWordForward' },
  { name: 'delete_to_start', keys: ['ctrl+u'], description: 'Delete to the start of the line', editorName: 'deleteToLineStart' },
  { name: 'delete_to_end', keys: ['ctrl+k'], description: 'Delete to the end of the line', editorName: 'deleteToLineEnd' },
  { name: 'yank', keys: ['ctrl+y'], description: 'Insert what was deleted last', editorName: 'yank' },
  { name: 'yank_earlier', keys: ['alt+y'], description: 'Insert what was deleted before that', editorName: 'yankPop' },
] as const satisfies readonly FaceRow[];

type FaceRow = Omit<KeyAction, 'name'> & { readonly name: string };
export type ActionName = (typeof FACE)[number]['name'] | (typeof EDITOR)[number]['name'];

export const ACTIONS: readonly KeyAction[] = [...FACE, ...EDITOR.map((row) => ({ ...row, scope: 'editor' as const }))];
