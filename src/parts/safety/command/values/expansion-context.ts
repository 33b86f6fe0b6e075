import type { CommandList } from '../../../../base/shell/ast.ts';
import type { Choices } from './marks.ts';

/** What a shell knows when it expands a word. */
export interface ExpansionContext {
  readonly home: string;
  readonly cwd: string | undefined;
  /** The values of a variable, one choice for each; `undefined` when nobody has set it. */
  valueOf(name: string): Choices | undefined;
  /** Whether an earlier command may have set what nobody is known to have set. */
  readonly lost: boolean;
  assign(name: string, value: Choices): void;
  /** Runs the commands of a substitution and tells what they would put out. */
  outputOf(body: CommandList): readonly string[];
  /** Runs the commands behind the name of a pipe. */
  pipeOf(body: CommandList, out: boolean): string;
  /** Notes that a text is shown as a prompt, which runs what stands in it. */
  prompts(): void;
  pay(steps: number): void;
}
