export const PLAIN = 'Markdown is not rendered: write plain text.';
export const MARKDOWN = 'Markdown is rendered.';
export const sendFileAdvice = (kinds: string): string =>
  `To send a file, write MEDIA:/absolute/path/to/file on a line of its own; ${kinds}.`;
export const NO_FILES = 'Files cannot be sent from here; say where they lie.';
