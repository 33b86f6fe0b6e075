export const PLAIN = 'Markdown is not rendered: write plain text.';
export const MARKDOWN = 'Markdown is rendered.';
export const FULL_MARKDOWN = 'Markdown is rendered, including tables and code blocks.';
export const sendFileAdvice = (kinds: string): string => `To send a file, write MEDIA:/absolute/path/to/file on its own line; ${kinds}.`;
export const NO_FILES = 'You cannot send files here; say where they are.';
