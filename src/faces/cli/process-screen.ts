import { measureColumns } from '../../base/screen/wrap.ts';
import { isatty } from 'node:tty';
import { toVisibleJson } from '../../base/visible.ts';
import { paintFor } from '../../base/screen/paint.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { toSnakeCase } from '../../base/snake-case.ts';
import { createProcessStreams } from './streams.ts';

export interface ProcessScreen extends Screen {
  /** Whether a person watches. */
  readonly watched: boolean;
  out(text: string): void;
  /** One JSON value with snake_case keys; a terminal finds nothing in it to obey. */
  json(value: unknown): void;
  /** The same with the keys as they are. */
  jsonAsIs(value: unknown): void;
}

/** Standard output as a screen: colours and a width only where a person looks at it. */
export function createProcessScreen(): ProcessScreen {
  const streams = createProcessStreams();
  const out = (text: string) => streams.out(text);
  const jsonAsIs = (value: unknown) => out(`${toVisibleJson(JSON.stringify(value, undefined, 2))}\n`);
  const watched = isatty(1);
  return {
    watched,
    paint: paintFor(process.stdout, process.env),
    columns: watched ? measureColumns(process.stdout) : Infinity,
    now: Date.now(),
    out,
    json: (value) => jsonAsIs(toSnakeCase(value)),
    jsonAsIs,
  };
}
