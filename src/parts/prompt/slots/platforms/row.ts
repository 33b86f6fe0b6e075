/** What a model should know about the place its words go to. An empty part is not said. */
export interface PlatformRow {
  readonly platform: string;
  readonly markup: string;
  readonly media: string;
  readonly own: string;
  /** Said only where the tool of that name is there. */
  readonly tools?: Readonly<Record<string, string>>;
}

export const PLAIN = 'Markdown is not rendered: write plain text.';
export const MARKDOWN = 'Markdown is rendered.';
export const sendFileAdvice = (kinds: string): string =>
  `To send a file, write MEDIA:/absolute/path/to/file on a line of its own; ${kinds}.`;
export const NO_FILES = 'Files cannot be sent from here; say where they lie.';
