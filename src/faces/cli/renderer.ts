import type { Screen } from '../../base/screen/screen.ts';
import type { Command, CommandParameters } from '../../contracts/command.ts';
import type { ServiceName } from '../../contracts/services/services.ts';
import type { ScreenText } from './entries.ts';
import type { Streams } from '../../base/screen/streams.ts';

/** How the result of one command looks on a command line. */
export interface CommandRenderer<Result = unknown, Progress = unknown> {
  /** What goes to stdout; pieces are played one after the other. */
  text(result: Result, screen: RenderScreen): string | Iterable<ScreenText>;
  /** What `--json` prints instead: the result itself when left out; `undefined` prints nothing. */
  json?(result: Result): unknown;
  /** The keys of the JSON are somebody else's and stay as they are. */
  readonly keepsKeys?: true;
  /** Lines for stderr. */
  notices?(result: Result, json: boolean): readonly string[];
  /** What is shown before the result is there. */
  progress?(progress: Progress, streams: Streams, screen: Screen): void;
  /** An address that a person must open before the command can go on: their browser is opened, and it is shown as it is, also with `--json`. */
  visit?(progress: Progress): string;
  /** Progress as lines on stdout with `--json`. */
  jsonProgress?(progress: Progress): string;
}
export interface RenderScreen extends Screen {
  /** Whether a person watches. */
  readonly watched: boolean;
}

/** One row of the table from names to renderers. */
export type RendererRow = readonly [name: string, renderer: CommandRenderer];

/** Ties a renderer to the result and the progress of its command. */
export const renderCommand = <
  Arguments extends CommandParameters,
  Options extends CommandParameters,
  Needs extends ServiceName,
  Result,
  Progress,
>(
  command: Command<Arguments, Options, Needs, Result, Progress>,
  renderer: CommandRenderer<NoInfer<Result>, NoInfer<Progress>>,
): RendererRow => [command.name, renderer];
