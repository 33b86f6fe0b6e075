import { parseEnv } from 'node:util';
import { UsageError } from '../../base/errors.ts';

/** The text of a `.env` file with one variable set; every other line stays as it is. */
export function withVariable(text: string, name: string, value: string): string {
  // oxlint-disable-next-line no-control-regex -- a pasted line end would end the variable early
  if (/[\u0000-\u001f\u007f]/.test(value))
    throw new UsageError(`the value of ${name} contains a line break or another control character. Copy it again without it.`);
  const line = `${name}=${quoted(value)}`;
  const lines = text.split('\n');
  const last = lines.findLastIndex((each) => nameOf(each) === name);
  const next = last < 0 ? appended(text, line) : lines.map((each, index) => (index === last ? line : each)).join('\n');
  if (parseEnv(next)[name] !== value)
    throw new UsageError(
      `this value of ${name} cannot be stored in .env: it contains every kind of quote. Set the variable in your shell instead.`,
    );
  return next;
}

/** The text without a variable, however often it is set. */
export const withoutVariable = (text: string, name: string): string =>
  text
    .split('\n')
    .filter((line) => nameOf(line) !== name)
    .join('\n');

const nameOf = (line: string): string | undefined => /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=/.exec(line)?.[1];
const appended = (text: string, line: string): string => `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${line}\n`;

/** Bare where nothing can be misread, else in the first kind of quote the value does not hold. */
function quoted(value: string): string {
  if (/^[\w@%+=:,./~-]+$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark)) ?? "'";
  return `${quote}${value}${quote}`;
}
