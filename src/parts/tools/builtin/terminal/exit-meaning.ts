import { parseLineParts } from '../command-line/shell-line.ts';

interface ExitCodeRow {
  readonly commands: RegExp;
  readonly codes: Readonly<Record<number, string>>;
}

const NO_MATCH = 'nothing matched; this is no error';
const DIFFERS = 'they differ; this is no error';

/** What an exit code says for commands that use it to answer. The first row that fits speaks. Adding one is a row. */
const ROWS: readonly ExitCodeRow[] = [
  { commands: /^(?:[efz]?grep|rg|ag|ack|git grep)(?= |$)/, codes: { 1: NO_MATCH } },
  { commands: /^(?:diff|cmp|colordiff|git diff)(?= |$)/, codes: { 1: DIFFERS } },
  { commands: /^(?:test|\[|\[\[)(?= |$)/, codes: { 1: 'the condition is false; this is no error' } },
  { commands: /^(?:pgrep|pkill|killall)(?= |$)/, codes: { 1: 'no such process; this is no error' } },
  { commands: /^(?:which|type|command -[vV])(?= |$)/, codes: { 1: 'there is no such command' } },
  { commands: /^find(?= |$)/, codes: { 1: 'some places could not be searched; what was found still counts' } },
  { commands: /^expr(?= |$)/, codes: { 1: 'the result is 0 or empty; this is no error' } },
  { commands: /^git merge-base(?= .*--is-ancestor)/, codes: { 1: 'it is no ancestor; this is no error' } },
  {
    commands: /^curl(?= |$)/,
    codes: {
      6: 'the host name is not known',
      7: 'no connection could be made',
      22: 'the server answered with an error status',
      28: 'it took too long',
    },
  },
  { commands: /^timeout(?= |$)/, codes: { 124: 'its time was up' } },
  {
    commands: /^/,
    codes: {
      126: 'it is there but cannot be executed',
      127: 'there is no such command',
      137: 'it was killed, perhaps for want of memory',
      139: 'it crashed (segmentation fault)',
      143: 'it was told to end',
    },
  },
];

/** What the exit code of a line means where that is not plainly an error: the code is that of its last command. */
export function explainExitCode(line: string, code: number): string | undefined {
  const last = parseLineParts(line).at(-1)?.pipeline.at(-1)?.words.join(' ') ?? '';
  return ROWS.find(({ commands, codes }) => codes[code] !== undefined && commands.test(last))?.codes[code];
}
