import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { editFile } from '../../../base/edit-file.ts';
import { toErrorMessage } from '../../../base/errors.ts';
import type { InboxMode } from '../../../contracts/session-store.ts';
import { attachImage } from './compose-message.ts';
import type { Face } from './face.ts';
import { createCompletionActions } from './completion.ts';
import { openPalette, searchHistory } from './pickers.ts';
import { takeBackAll, takeBackLast } from './take-back.ts';
import { showViewer } from './viewer.ts';
import { createInterruptKey } from '../input/interrupt.ts';
import type { ActionHandlers } from '../input/keys.ts';

/** What each key does here. What gives `false` does not apply now, and the key goes on. */
export function createActions(face: Face): ActionHandlers {
  const { state, editor, deps } = face;
  const interrupt = createInterruptKey(() => Date.now());
  const send = (mode: InboxMode) => (): void => {
    const text = editor.take();
    if (text !== undefined) face.submit(text, mode);
  };
  return {
    redraw: face.redraw,
    suspend: () => deps.terminal.suspend(),
    ...createCompletionActions(face),
    new_line: () => editor.newLine(),
    queue: send('queue'),
    steer: send('steer'),
    interrupt: () => {
      const meaning = interrupt({ busy: isAtWork(face), empty: editor.isEmpty() });
      if (meaning === 'interrupt') stopWork(face);
      if (meaning === 'clear') editor.set('');
      if (meaning === 'warn') face.hint(`Press ${face.keys.keysOf('interrupt')[0] ?? 'Ctrl+C'} again to exit.`);
      if (meaning === 'exit') face.leave();
    },
    stop: () => (isAtWork(face) ? stopWork(face) : false),
    take_back: () => takeBackLast(face),
    exit: () => face.leave(),
    external_editor: () => void composeIn(face, editor.read()),
    stash: () => {
      const done = editor.stash();
      if (done === 'stashed') face.hint(`The draft is set aside. ${face.keys.keysOf('stash')[0] ?? ''} brings it back.`);
      return done !== 'nothing';
    },
    viewer: () => void showViewer(face),
    history_search: () => void searchHistory(face, face.history.entries()),
    palette: () => void openPalette(face),
    remove_image: () => face.images.removeLast(),
    paste_image: () => void attachImage(face, undefined),
    thinking: () => {
      state.settings = { ...state.settings, 'display.show_reasoning': !state.settings['display.show_reasoning'] };
      face.hint(state.settings['display.show_reasoning'] ? 'Thinking is shown from now on.' : 'Thinking is folded from now on.');
    },
  };
}

const isAtWork = ({ state, opened }: Face): boolean => state.shell !== undefined || opened?.conversation.busy === true;

/** Stops a shell command of the owner's first, then the turn; what waits for the turn goes back into the editor. */
export function stopWork(face: Face): void {
  const { state, opened } = face;
  if (state.shell !== undefined) return state.shell.stop.abort('interrupted');
  opened?.conversation.stop();
  void takeBackAll(face);
}

/** Opens the person's editor with a text; what is saved there goes where messages are typed. */
export async function composeIn(face: Face, text: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-message-'));
  const file = join(folder, 'message.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    await face.deps.terminal.lend(() => editFile(file, face.deps.env));
    face.editor.set((await readFile(file, 'utf8')).replace(/\n$/, ''));
  } catch (error) {
    face.say(toErrorMessage(error), 'bad');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
