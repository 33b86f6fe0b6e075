import type { Entry } from './entry.ts';
import type { Runtime } from './runtime.ts';

/**
 * What a program of somebody else's adds to the terminal UI: the five seams. Everything is optional.
 *
 * Promises:
 * - an extension that throws is switched off and named in a notice; the screen and the turn go on;
 * - its text is shown as text: control characters in it never reach the terminal, and no line is wider than the room;
 * - it can neither hide nor cover a question for consent, a password or a secret, and it never sees what is typed there;
 * - its seams are read in this order: styles, widgets, keys (after ours, before the layout), layout, commands.
 */
export interface TerminalExtension {
  /** Names it in notices and conflicts. */
  readonly name: string;
  /** Called once, before anything is drawn. */
  setup?(terminal: TerminalHandle): void;
  /** Lines between the answer and the status bar, in the slot `extras`. */
  readonly widgets?: readonly TerminalWidget[];
  /** Further fields of the status bar, by the names that `display.status_bar.fields` may use. */
  readonly statusFields?: Readonly<Record<string, () => string>>;
  /** Keys beside ours. One that is taken already is refused, and the notice names both owners. */
  readonly keys?: readonly ExtensionKey[];
  /** Orders or wraps the slots. A layout that leaves out `approval`, `sudo`, `secret`, `clarify` or `input` is refused. */
  layout?(slots: readonly LayoutSlot[]): readonly LayoutSlot[];
  /** Lines that begin with a slash, before ours: `true` means that it was handled, anything else passes it on. */
  command?(line: string, terminal: TerminalHandle): boolean | Promise<boolean>;
  /** Named styles of its own; a theme may have another color for a name. */
  readonly styles?: Readonly<Record<string, StyleRule>>;
}

export interface TerminalWidget {
  readonly name: string;
  /** Lines for so many columns; none are drawn while it is not visible. */
  render(columns: number, style: (name: string, text: string) => string): readonly string[];
  /** Asked for every frame; visible when left out. */
  visible?(): boolean;
}

export interface ExtensionKey {
  /** Such as `f2`, `ctrl+t`, `alt+x`. */
  readonly key: string;
  readonly description: string;
  run(terminal: TerminalHandle): void;
}

/** A color (a name of the sixteen, `#rrggbb` or a number of the 256) and how the text looks. */
export interface StyleRule {
  readonly color?: string;
  readonly background?: string;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
}

/** The bottom area from top to bottom. What is finished scrolls above it. */
export const TERMINAL_SLOTS = [
  'sudo',
  'secret',
  'approval',
  'clarify',
  'spinner',
  'spacer',
  'extras',
  'status',
  'rule_above',
  'images',
  'input',
  'rule_below',
  'voice',
  'completions',
] as const;
export type TerminalSlot = (typeof TERMINAL_SLOTS)[number];

/** A slot where it stands, and what is drawn around it. */
export interface LayoutSlot {
  readonly slot: TerminalSlot;
  /** Draws around the slot's lines; its own lines stay as they are and in their order. Not for questions. */
  wrap?(lines: readonly string[], columns: number): readonly string[];
}

/** What an extension can do to the terminal UI. */
export interface TerminalHandle {
  /** The text being typed. */
  readonly input: {
    read(): string;
    set(text: string): void;
    insert(text: string): void;
    /** As if Enter had been pressed. Does nothing while a question is open. */
    submit(): void;
  };
  /** Prints lines into the transcript. */
  say(text: string): void;
  /** Draws again soon; called after something a widget shows has changed. */
  invalidate(): void;
  /** The session, read only; nothing before the first message. */
  session(): TerminalSessionView | undefined;
}
export interface TerminalSessionView {
  readonly id: string;
  readonly runtime: Runtime;
  readonly busy: boolean;
  /** What was said and done so far. */
  entries(): Promise<readonly Entry[]>;
}
