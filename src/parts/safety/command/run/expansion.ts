import type { ExpansionContext } from '../values/expansion-context.ts';
import { fromOutside, MARK } from '../values/marks.ts';
import { NO_INPUT } from './state.ts';
import type { Shell } from './shell.ts';

/** What the shell knows at this moment, for expanding a word. */
export const createExpansionContext = (shell: Shell): ExpansionContext => ({
  home: shell.state.values.get('HOME')?.[0]?.[0] ?? '/',
  cwd: shell.state.cwds.length === 1 ? shell.state.cwds[0] : undefined,
  valueOf: (name) => shell.state.values.get(name),
  lost: shell.lost,
  assign: (name, value) => shell.set(name, value),
  outputOf: (body) => shell.apart(() => shell.walk.list(shell, body, NO_INPUT)).map(fromOutside),
  pipeOf: (body, out) => {
    const path = `/dev/fd/${100 + shell.files.size}`;
    const input = out ? { ...NO_INPUT, texts: [MARK.unknown], piped: true } : NO_INPUT;
    shell.remember(
      path,
      shell.apart(() => shell.walk.list(shell, body, input)),
    );
    return path;
  },
  prompts: () => shell.note('ask', 'unreadable', 'it runs code in the text of a prompt'),
  pay: (steps) => shell.meter.pay(steps),
});
