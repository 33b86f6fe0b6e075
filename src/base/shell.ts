/** One word for a POSIX shell, whatever is in it. */
export const quoteShellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A script as a line a shell could be handed: a program fed by a here-document, whose end does not stand in the code. */
export function toHereDocumentCommand(program: string, code: string): string {
  const lines = new Set(code.split('\n').map((line) => line.trim()));
  let end = 'EOF';
  while (lines.has(end)) end += '_';
  return `${program} - <<'${end}'\n${code}\n${end}`;
}
