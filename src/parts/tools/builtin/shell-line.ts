/** A command of a line, read well enough for advice: no judgement about safety hangs on this. */
export interface LinePart {
  /** Its commands from pipe to pipe, each in words; a quoted text is one word. */
  readonly pipeline: readonly (readonly string[])[];
  /** Sent to the background by the shell itself. */
  readonly background: boolean;
}

/** The commands of a line in their order. What a here-document holds is not looked at. */
export function lineParts(command: string): readonly LinePart[] {
  const head = command.split('<<', 1)[0] ?? '';
  const pieces = head.match(PIECE) ?? [];
  const parts: { pipeline: string[][]; background: boolean }[] = [{ pipeline: [[]], background: false }];
  let glued = false;
  for (const piece of pieces) {
    const part = parts.at(-1);
    const words = part?.pipeline.at(-1);
    if (piece === '|' || piece === '|&') part?.pipeline.push([]);
    else if (SEPARATOR.test(piece)) {
      if (piece === '&' && part !== undefined) part.background = true;
      parts.push({ pipeline: [[]], background: false });
    } else if (/\S/.test(piece)) words?.push(glued ? `${words.pop() ?? ''}${piece}` : piece);
    glued = /\S/.test(piece) && !SEPARATOR.test(piece) && !piece.startsWith('|');
  }
  return parts.filter(({ pipeline }) => pipeline.some((words) => words.length > 0));
}

const PIECE = /\n|[^\S\n]+|&&|\|\||\|&|\d?>&\d?|&>>?|[;&|()]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|(?:\\[\s\S]|[^\s;&|()'"\\])+|['"\\]/g;
const SEPARATOR = /^(?:&&|\|\||[;&\n()])$/;

/** The words of a command without the variables set before it. */
export const bare = (words: readonly string[]): readonly string[] => {
  const start = words.findIndex((word) => !/^\w+=/.test(word));
  return start < 0 ? [] : words.slice(start);
};
