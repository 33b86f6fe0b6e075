import { KeybindingsManager, setKeybindings, TUI_KEYBINDINGS, type KeybindingsConfig } from '@earendil-works/pi-tui/dist/keybindings.js';
import type { KeyId } from '@earendil-works/pi-tui/dist/keys.js';
import type { KeyTable } from './keys.ts';

/** Gives the editor the keys of the table. What we read before it (Enter, Tab, new lines) it is not to read by itself. */
export function bindEditorKeys({ actions }: KeyTable): void {
  const ours = actions.flatMap(({ editorName, keys }) =>
    editorName === undefined ? [] : [[`tui.editor.${editorName}`, keys.map(toEditorKey).filter(isKeyId)] as const],
  );
  const bound: KeybindingsConfig = { 'tui.input.newLine': [], 'tui.input.submit': [], 'tui.input.tab': [], ...Object.fromEntries(ours) };
  setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, bound));
}

const toEditorKey = (key: string): string => key.replace('pageup', 'pageUp').replace('pagedown', 'pageDown');
/** The table has checked the names; the editor knows no chords. */
const isKeyId = (key: string): key is KeyId => !key.includes(' ');
