/** What a person has sent from the editor. */
export type ParsedLine =
  | { readonly type: 'empty' }
  /** Begins with a slash: the host says whether it is a command. */
  | { readonly type: 'command'; readonly line: string }
  /** `!command`: for the session's terminal, outside of the conversation. */
  | { readonly type: 'shell'; readonly command: string }
  | { readonly type: 'message'; readonly text: string };

/** People type these out of habit from other shells and editors. */
const LEAVING: ReadonlySet<string> = new Set(['exit', 'quit', ':q']);

/** A backslash before the first sign takes its meaning away: `\!` begins a message, `\exit` is one. */
export function parseLine(text: string): ParsedLine {
  const words = text.trim();
  if (words === '') return { type: 'empty' };
  if (/^\\[!/]/.test(words) || (words.startsWith('\\') && LEAVING.has(words.slice(1)))) return { type: 'message', text: words.slice(1) };
  if (LEAVING.has(words)) return { type: 'command', line: '/quit' };
  if (words.startsWith('/')) return { type: 'command', line: words };
  const command = words.startsWith('!') ? words.slice(1).trim() : '';
  return command === '' ? { type: 'message', text: words } : { type: 'shell', command };
}
