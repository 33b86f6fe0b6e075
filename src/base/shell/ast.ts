/** A piece of a word, before anything is expanded. */
export type WordPart =
  | { readonly type: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly type: 'glob'; readonly text: string }
  | { readonly type: 'brace'; readonly text: '{' | ',' | '}' }
  | { readonly type: 'tilde'; readonly user: string }
  | ShellParameter
  | { readonly type: 'output'; readonly body: CommandList; readonly quoted: boolean }
  | { readonly type: 'arithmetic'; readonly parts: readonly WordPart[] }
  | { readonly type: 'pipe'; readonly body: CommandList; /** It is written to, not read from. */ readonly out: boolean };

/** `$x`, `${x}` and everything that can stand in those braces. */
export interface ShellParameter {
  readonly type: 'parameter';
  readonly name: string;
  readonly quoted: boolean;
  /** `${!x}`: the value names the variable that is meant. */
  readonly indirect: boolean;
  /** `${#x}`. */
  readonly length: boolean;
  /** What stands in `[ ]`. */
  readonly index: string | undefined;
  readonly operator: string;
  readonly operand: readonly WordPart[];
}

export interface Word {
  readonly parts: readonly WordPart[];
}

export interface Assignment {
  readonly name: string;
  readonly append: boolean;
  readonly index: boolean;
  /** Behind `declare` and its like: the value stays. */
  readonly lasting: boolean;
  /** Several words are an array. */
  readonly values: readonly Word[];
  readonly array: boolean;
}

export interface Redirection {
  readonly operator: string;
  /** The number before it, when there is one. */
  readonly descriptor: string;
  readonly target: Word;
  /** The text of a here-document, filled in when its lines have been read. */
  readonly here: HereDocument | undefined;
}
export interface HereDocument {
  readonly end: string;
  readonly dashed: boolean;
  readonly quoted: boolean;
  text: readonly WordPart[];
  /** Whether its end came; a shell takes all that follows for its text when it does not. */
  closed: boolean;
}

export interface SimpleCommand {
  readonly type: 'simple';
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
  /** As it is written, without the variables set before it. */
  readonly source: string;
}

/** What stands in a pipeline. Compound commands carry the redirections behind them. */
export type ShellCommand =
  | SimpleCommand
  | { readonly type: 'group'; readonly body: CommandList; readonly apart: boolean; readonly redirections: readonly Redirection[] }
  | {
      readonly type: 'branches';
      readonly conditions: readonly CommandList[];
      readonly bodies: readonly CommandList[];
      readonly redirections: readonly Redirection[];
    }
  | {
      readonly type: 'each';
      readonly name: string;
      readonly words: readonly Word[] | undefined;
      readonly body: CommandList;
      readonly redirections: readonly Redirection[];
    }
  | { readonly type: 'loop'; readonly condition: CommandList; readonly body: CommandList; readonly redirections: readonly Redirection[] }
  | {
      readonly type: 'choice';
      readonly subject: Word;
      readonly bodies: readonly CommandList[];
      readonly redirections: readonly Redirection[];
    }
  | { readonly type: 'function'; readonly name: string; readonly body: ShellCommand }
  | { readonly type: 'test'; readonly words: readonly Word[]; readonly redirections: readonly Redirection[] }
  | { readonly type: 'arithmetic'; readonly parts: readonly WordPart[]; readonly redirections: readonly Redirection[] };

export interface Pipeline {
  readonly commands: readonly ShellCommand[];
  /** How it hangs on the one before it. */
  readonly after: ';' | '&&' | '||';
  readonly background: boolean;
}
export type CommandList = readonly Pipeline[];
