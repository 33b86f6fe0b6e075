import { expandingText } from './expansions.ts';
import type { Reading } from './reading.ts';
import { aside } from './subshells.ts';

/** The texts of all here-documents the line before has announced, in their order. */
export function hereDocuments(reading: Reading): boolean {
  const { waiting } = reading;
  reading.waiting = [];
  return waiting.every(({ end, dashed, quoted, fed }) => {
    const text = textUpTo(reading, end, dashed);
    fed.push(text);
    // With a quoted end nothing in the text is expanded; otherwise its substitutions run.
    return quoted || aside(reading, text, (inner) => expandingText(inner, ''));
  });
}

function textUpTo(reading: Reading, end: string, dashed: boolean): string {
  const lines: string[] = [];
  while (!reading.over) {
    const line = reading.take(/[^\n]*/y);
    reading.at++;
    if ((dashed ? line.replace(/^\t+/, '') : line) === end) break;
    lines.push(line);
  }
  return lines.join('\n');
}
