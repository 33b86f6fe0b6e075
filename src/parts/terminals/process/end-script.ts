import { COMMAND_ID_VARIABLE } from './lineage.ts';

const GONE = 'gone';

/**
 * Ends a command far away: its group, and whoever carries its mark there. Politely first, then for good. Says so when it
 * looked and nobody is left. For any shell: without `--`, which not every one's own `kill` knows.
 */
export const createEndScript = (group: number | string, mark: string): string =>
  [
    `g=${group}; k() { grep -ls '${COMMAND_ID_VARIABLE}=${mark}' /proc/[0-9]*/environ 2>/dev/null | while IFS=/ read -r a b p c; do echo "$p"; done; }`,
    's=$(k); kill -TERM "-$g" $s 2>/dev/null',
    'for i in 1 2 3 4 5 6 7 8; do kill -0 "-$g" $s 2>/dev/null || break; sleep 0.01; done',
    'for i in 1 2 3 4 5; do s=$(k); kill -0 "-$g" 2>/dev/null || [ -n "$s" ] || break; kill -KILL "-$g" $s 2>/dev/null; sleep 0.01; done',
    `command -v grep >/dev/null && [ -r /proc/self/environ ] && [ -z "$(k)" ] && ! kill -0 "-$g" 2>/dev/null && echo ${GONE}; :`,
  ].join('\n');

/** Whether all of it is known to be gone, by what the script said. */
export const isGoneReport = (output: string): boolean => output.trim() === GONE;
