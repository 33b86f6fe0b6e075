import type { TerminalSlot } from '../../contracts/terminal-extension.ts';
import type { ToolDetails } from '../../contracts/details.ts';
import type { CompactionReport, EntryOrigin } from '../../contracts/entry.ts';
import type { ToolCall } from '../../contracts/message.ts';
import type { Outcome } from '../../contracts/outcome.ts';

/**
 * The terminal face in three rooms that meet only here:
 * - `screen/` and `terminal/` write to the terminal and read keys: they know lines, no sessions;
 * - `transcript/` folds events or stored entries into blocks and draws blocks as lines: pure, knows no terminal;
 * - `input/` is what a person types into: the editor, dialogs, pickers; they draw lines and take keys.
 * `face.ts` joins them with a session.
 */

/** One thing in the transcript. A finished block is plain data made from stored entries alone, so that a resumed session looks as it did live. */
export type Block =
  | {
      readonly kind: 'user';
      readonly text: string;
      readonly origin: EntryOrigin;
      readonly at: number;
      readonly attachments?: readonly string[];
    }
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'answer'; readonly text: string }
  | ToolBlock
  /** Something the model does not see: a note in the log, a compaction, another model, turns taken back. */
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'compaction'; readonly report: CompactionReport }
  | { readonly kind: 'model'; readonly from: string; readonly to: string; readonly cause: string }
  | { readonly kind: 'rewind'; readonly turns: number }
  /** How a turn ended. One that was simply answered shows at most when. */
  | {
      readonly kind: 'outcome';
      readonly outcome: Outcome['type'];
      readonly exitReason: string;
      readonly text: string;
      readonly at: number;
    }
  /** Said by this face or the host, in no log: notices, what a command gave, a shell command of the owner's. Not rebuilt. */
  | AsideBlock
  /** A command as it was typed, above what it gave. In no log, as an aside. */
  | TypedBlock;

export interface ToolBlock {
  readonly kind: 'tool';
  readonly call: ToolCall;
  readonly state: 'planned' | 'asking' | 'running' | 'finished' | 'failed';
  /** What it has told so far, the newest last; only while it runs. */
  readonly progress: readonly string[];
  /** What each child agent it runs told last; only while it runs. */
  readonly children?: readonly { readonly id: string; readonly note: string }[];
  /** The text of its result, and where words from outside in it come from. */
  readonly result?: string;
  readonly source?: string;
  readonly details?: ToolDetails;
  readonly startedAt?: number;
  /** How long it took; absent in logs of earlier versions. */
  readonly ms?: number;
}
export interface AsideBlock {
  readonly kind: 'aside';
  readonly tone: 'plain' | 'good' | 'warn' | 'bad' | 'banner';
  /** Drawn already (a banner, a table of a command): printed as it is where it fits. Otherwise text that is wrapped. */
  readonly drawn?: true;
  /** A shell command of the owner's; the text is what it wrote. */
  readonly command?: string;
  readonly text: string;
}

export interface TypedBlock {
  readonly kind: 'typed';
  readonly text: string;
}

/** What a block or a widget is drawn with. */
export interface DrawContext {
  readonly columns: number;
  readonly rows: number;
  readonly style: Styles;
  readonly now: number;
  /** Thinking in full, or one line that says how much there is. */
  readonly showThinking: boolean;
  /** All of every result and all thinking: for a viewer that scrolls. */
  readonly expanded?: boolean;
  /** What stands before what a person types and sent. */
  readonly sign?: string;
  /** Keys that hints name, as they are bound. */
  readonly keyNames?: { readonly interrupt: string; readonly viewer: string };
  /** What is shown of tool calls (`display.tool_progress`); `all` when left out. */
  readonly toolCalls?: 'off' | 'new' | 'all' | 'verbose';
  /** Changes of files are counted and not shown. */
  readonly hidesDiffs?: boolean;
  /** The time stands behind each message. */
  readonly timestamps?: boolean;
  /** Whether links can be clicked (OSC 8), and what marks a message, so that the terminal can jump to it (OSC 133). */
  readonly links?: boolean;
  readonly marks?: PromptMarks;
  /** Colors of code, once they are loaded. */
  readonly highlight?: Highlight;
}
/** Written before what a person sent, before its words, and before what came of it. */
export interface PromptMarks {
  readonly prompt: string;
  readonly input: string;
  readonly output: string;
}
/** A piece of a line of code, and the style it has. */
export interface CodeSegment {
  readonly text: string;
  readonly style?: StyleName;
}
/** The lines of a piece of code in their colors; nothing while its language is not there, and then the code is plain. */
export type Highlight = (code: string, language: string) => readonly (readonly CodeSegment[])[] | undefined;

/** A style by its name: of the theme, of ours, or of an extension. Never changes the width of a text. */
export type Styles = (name: StyleName | (string & {}), text: string) => string;
export type StyleName =
  | 'text'
  | 'strong'
  | 'faint'
  | 'emphasis'
  | 'struck'
  | 'accent'
  | 'good'
  | 'warn'
  | 'bad'
  | 'user'
  | 'prompt'
  | 'rule'
  | 'heading'
  | 'code'
  | 'link'
  | 'quote'
  | 'thinking'
  | 'tool'
  | 'diff.added'
  | 'diff.removed'
  | 'diff.context'
  | 'status'
  | 'status.low'
  | 'status.mid'
  | 'status.high'
  | 'status.full'
  | 'selected'
  | 'syntax.keyword'
  | 'syntax.string'
  | 'syntax.number'
  | 'syntax.comment'
  | 'syntax.name'
  | 'question';

/**
 * A block that still changes. Lines that can no longer change are given out once, in order, so that a long answer goes into
 * the scrollback while it is written; together with `render` they are what the finished block draws.
 */
export interface LiveBlock {
  /** Lines that are final now and were not given before. */
  takeSettled(context: DrawContext): string[];
  /** The rest, drawn again with every frame. */
  render(context: DrawContext): string[];
}

/** A piece of the bottom area. */
export interface Widget {
  render(context: DrawContext): string[];
}
/** A widget that has the keys: a dialog, the editor, a picker. */
export interface KeyWidget extends Widget {
  /** One whole key or one whole paste (`ESC [200~ … ESC [201~`), as the terminal sent it. */
  handleKey(data: string): void;
  /** Where the cursor stands in the lines last drawn; hidden when absent. */
  cursor?(): CursorPosition | undefined;
}
export interface CursorPosition {
  readonly row: number;
  readonly column: number;
}

/** What stands in the slots now. */
export type SlotContents = Readonly<Partial<Record<TerminalSlot, Widget>>>;

/** The live part of the screen: the lines below what is printed. */
export interface Frame {
  readonly lines: readonly string[];
  readonly cursor?: CursorPosition;
}

/**
 * The main screen of a terminal. What is printed is printed once, goes into the terminal's own scrollback and is never
 * touched again; the frame below it is replaced.
 *
 * Promises:
 * - a line of text, whatever happens on the screen, stands in the scrollback exactly once and in order: what stood there
 *   before the program started, and everything printed;
 * - no clearing of the screen (`2J`) or the scrollback (`3J`), no alternate screen;
 * - one write for each frame, synchronized (`2026`); only lines that differ are sent, at most two screens of them;
 * - a resize repaints the frame and nothing above it;
 * - no line is wider than the terminal, and a frame higher than the screen shows its end.
 */
export interface MainScreen {
  /** Prints lines above the frame, for good, and draws the frame below them in the same write. */
  update(printed: readonly string[], frame: Frame): void;
  /**
   * The terminal has another size; the caller updates with a new frame after it. Gives for how many milliseconds nothing
   * should be drawn: what is drawn while the terminal goes on changing may meet a size nobody knows of. 0 when the size is the same.
   */
  resize(size: TerminalSize): number;
  /** The next update draws everything that is on the screen anew, also what was printed for good; the scrollback stays as it is. */
  repaint(): void;
  /** Leaves the cursor on an empty line below what is to stay: the frame is erased unless it is kept. */
  close(options?: { readonly keepFrame?: boolean }): void;
}
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** A terminal: the rim. Modes that were set are taken back by `stop`, by any exit, and by the launcher after a kill. */
export interface TerminalDevice {
  readonly size: TerminalSize;
  write(bytes: string): void;
  /** Sets raw mode, paste marks and the keyboard protocol. Keys come whole, pastes with their marks around them. */
  start(handlers: TerminalHandlers): void;
  /** Takes the modes back and stops reading; what still comes is thrown away. */
  stop(): Promise<void>;
  /** Stops the process as Ctrl-Z does, with the terminal as it was; goes on when it is continued. */
  suspend(): void;
  /** Gives the terminal to another program (`$EDITOR`) and takes it back. */
  lend<Result>(work: () => Promise<Result>): Promise<Result>;
  /** What the terminal said about its background; nothing when it does not answer. */
  readonly background: Promise<'light' | 'dark' | undefined>;
}
export interface TerminalHandlers {
  key(data: string): void;
  resize(size: TerminalSize): void;
  /** Somebody else is about to write to the terminal (the shell, `$EDITOR`, a report of a crash): the screen is closed now. */
  pause(): void;
  /** The process was stopped and goes on, or the terminal was lent: the frame must be drawn anew. */
  redraw(): void;
  /** The terminal is gone (SIGHUP) or the process is told to end (SIGTERM). */
  leave(signal: 'SIGHUP' | 'SIGTERM'): void;
}
