import type { TerminalHandle } from '../../../contracts/terminal-extension.ts';
import { toPrintable } from '../../../base/printable.ts';
import type { InboxMode } from '../../../contracts/session-store.ts';
import type { AsideBlock, Block, DrawContext } from '../contract.ts';
import type { Screens } from './screens.ts';
import type { Conversation } from './conversation.ts';
import type { FaceBackend, TerminalFaceDeps, TerminalFaceOptions } from './deps.ts';
import type { Extensions } from './extensions.ts';
import type { FaceState } from './state.ts';
import type { Completer } from '../input/completion.ts';
import type { InputHistory } from '../input/history.ts';
import type { InputEditor } from '../input/editor.ts';
import type { ImageBar } from '../input/images.ts';
import type { KeyTable } from '../input/keys.ts';
import type { QuestionQueue } from '../input/dialogs/queue.ts';
import type { SubmitQueue } from './submit-queue.ts';
import type { Stage } from './stage.ts';

/** What the parts of the terminal UI share: the pieces on the screen, and what stands behind them once it is open. */
export interface Face {
  readonly options: TerminalFaceOptions;
  readonly deps: TerminalFaceDeps;
  readonly state: FaceState;
  readonly editor: InputEditor;
  readonly completer: Completer;
  readonly history: InputHistory;
  readonly questions: QuestionQueue;
  readonly stage: Stage;
  readonly extensions: Extensions;
  readonly screen: Screens;
  /** Images that go with the next message. */
  readonly images: ImageBar;
  readonly terminalHandle: TerminalHandle;
  keys: KeyTable;
  /** Resolves when a session can be opened. Rejects when it cannot. */
  readonly ready: Promise<OpenedFace>;
  /** The same, where it is there already. */
  opened: OpenedFace | undefined;
  /** Prints something that is in no log. */
  say(text: string, tone?: AsideBlock['tone']): void;
  /** A word below the editor until the next key. */
  hint(text: string): void;
  submit(text: string, mode?: InboxMode): void;
  /** What was sent and has not begun. */
  readonly submitted: SubmitQueue;
  /** Runs one after the other what lines that are sent meanwhile do not wait for. */
  beside(work: () => Promise<void>): void;
  /** Draws all of the frame anew. */
  redraw(): void;
  /** What everything is drawn with now. */
  context(): DrawContext;
  colorCode(): Promise<void>;
  /** Loads the colors of all code in blocks that are to be shown at once. */
  loadColors(blocks: readonly Block[]): Promise<void>;
  /** The theme or a setting of the display is another: what is drawn from now on follows it. */
  restyle(): Promise<void>;
  /** Ends the program. */
  leave(code?: number): void;
}
export interface OpenedFace {
  readonly backend: FaceBackend;
  readonly conversation: Conversation;
}

/** What extensions hold of the face. */
export const createTerminalHandle = (face: () => Face): TerminalHandle => ({
  input: {
    read: () => face().editor.read(),
    set: (text) => (face().editor.set(text), face().stage.invalidate()),
    insert: (text) => (face().editor.insert(text), face().stage.invalidate()),
    submit: () => {
      // While a question is open, nobody but the person sends anything.
      if (face().questions.current() === undefined) face().editor.submit();
    },
  },
  say: (text) => face().say(toPrintable(text)),
  invalidate: () => face().stage.invalidate(),
  session: () => {
    const { opened } = face();
    const session = opened?.conversation.session;
    if (opened === undefined || session === undefined) return undefined;
    const { id } = session.session;
    return {
      id,
      runtime: session.runtime,
      busy: opened.conversation.busy,
      entries: () => opened.backend.host.store.entries(id),
    };
  },
});
