import { setTimeout as sleep } from 'node:timers/promises';
import { toErrorMessage } from '../../../base/errors.ts';
import { randomHex } from '../../../base/ids.ts';
import { quoteShellWord } from '../../../base/shell.ts';
import { READER, type Exec, type OutputHandlers, type RemoteShell } from './line.ts';

/** A service that runs one command and answers when it is through, with text: no streams, no input, no bytes. */
export interface CommandApi {
  readonly name: string;
  call(command: string): Promise<{ readonly exitCode: number; readonly result: string }>;
  upload(bytes: Buffer, path: string): Promise<void>;
  close(): Promise<void>;
}

/** More than this does not go on a command line. */
const INLINE_BYTES = 32 * 1024;
/** Bytes fetched at once, before base64. */
const PIECE = 384 * 1024;
/** A failed question is asked again before the line counts as broken. */
const WAITS = [200, 1_000, 2_000] as const;

/** A line over such calls: the script writes into files, and each question waits there until there is something to tell. */
export function createPolledLine(calls: CommandApi): RemoteShell {
  const { name } = calls;
  const tidying = new Set<Promise<unknown>>();
  const tidy = (file: string) => {
    const done = again(() => calls.call(`rm -f ${file} ${file}.out ${file}.told ${file}.over`)).catch(() => undefined);
    tidying.add(done);
    void done.then(() => tidying.delete(done));
  };
  return {
    name,
    close: async () => {
      await Promise.all(tidying);
      await calls.close();
    },
    exec: (input, hear) => {
      const state = { released: false };
      const file = `/tmp/hermes-${randomHex(12)}`;
      const over = carry(calls, file, input, hear, state)
        .catch((error: unknown) => `${name} could not be reached: ${toErrorMessage(error)}`)
        .finally(() => tidy(file));
      return { over, release: () => (state.released = true) } satisfies Exec;
    },
  };
}

async function carry(
  calls: CommandApi,
  file: string,
  input: Buffer,
  hear: OutputHandlers,
  state: { readonly released: boolean },
): Promise<string | undefined> {
  const inline = input.length <= INLINE_BYTES;
  if (!inline) await calls.upload(input, file);
  let answer = await calls.call(`${launchCommand(file, inline ? input : undefined)}; ${lookCommand(file, 0, 0)}`);
  if (answer.exitCode === NO_BASH) return `There is no bash in ${calls.name}. Commands need one there: name another image.`;
  for (let [out, told] = [0, 0]; !state.released;) {
    const seen = readLook(answer.result);
    if (seen === undefined) return `${calls.name} gave an answer that makes no sense: ${answer.result.slice(0, 200)}`;
    out += seen.out.length;
    told += seen.told.length;
    if (seen.told.length > 0) hear.told(seen.told);
    if (seen.out.length > 0) hear.output(seen.out);
    if (seen.over && seen.out.length < PIECE && seen.told.length < PIECE) return undefined;
    const look = lookCommand(file, out, told);
    answer = await again(() => calls.call(look));
  }
  return undefined;
}

/** Looking twice does no harm; only for what can be asked again. */
async function again<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      const wait = WAITS[tries];
      if (wait === undefined) throw error;
      await sleep(wait);
    }
  }
}

const NO_BASH = 97;
/** Words without quotes in them, whatever shell reads the line. */
const launchCommand = (file: string, input: Buffer | undefined): string =>
  [
    `command -v bash >/dev/null || exit ${NO_BASH}`,
    `umask 077`,
    ...(input === undefined ? [] : [`echo ${input.toString('base64')} | base64 -d >${file}`]),
    `: >${file}.out`,
    `: >${file}.told`,
    `$(command -v setsid) bash -c ${quoteShellWord(`bash -c "$2" <"$1" >>"$1.out" 2>>"$1.told"; [ -e "$1.out" ] && : >"$1.over"`)} x ${file} ${quoteShellWord(READER)} </dev/null >/dev/null 2>&1 & :`,
  ].join('; ');

/** Whether it is over is asked first: what was written before is then seen with it. */
const lookCommand = (file: string, out: number, told: number): string => `bash -c ${quoteShellWord(LOOK)} x ${file} ${out} ${told}`;
const LOOK = [
  'f=$1; i=0; while :; do o=; [ -e "$f.over" ] && o=over; s=$(wc -c <"$f.out"); t=$(wc -c <"$f.told")',
  'if [ -n "$o" ] || [ $s -gt $2 ] || [ $t -gt $3 ] || [ $i -ge 60 ]; then break; fi; i=$((i+1)); sleep 0.03; done',
  `echo "look:$o"; tail -c +$(($2+1)) "$f.out" | head -c ${PIECE} | base64 | tr -d "\\n"; echo; tail -c +$(($3+1)) "$f.told" | head -c ${PIECE} | base64 | tr -d "\\n"; echo`,
].join('; ');

function readLook(text: string): { readonly over: boolean; readonly out: Buffer; readonly told: Buffer } | undefined {
  const [, over, out = '', told = ''] = /look:(over)?\n([\w+/=]*)\n([\w+/=]*)\s*$/.exec(text) ?? [];
  return text.includes('look:')
    ? { over: over !== undefined, out: Buffer.from(out, 'base64'), told: Buffer.from(told, 'base64') }
    : undefined;
}
