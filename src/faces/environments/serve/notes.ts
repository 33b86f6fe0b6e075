import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../../base/json.ts';
import type { WandbNotes } from '../metrics/wandb.ts';
import { writeFigures } from '../run-folder.ts';

/** What the next process must know besides the groups. */
export interface ServeNotes extends WandbNotes {
  /** Names the groups of this folder apart from those of all others. */
  readonly series: string;
  /** Who we were at the API. */
  readonly registered?: { readonly url: string; readonly envId: number; readonly name: string };
  /** The step up to which evaluations were made. */
  readonly evaluatedStep?: number;
  /** Which training it is that this folder serves: the first when absent. */
  readonly training?: number;
}
export interface ServeNotebook {
  readonly notes: ServeNotes;
  write(changes: Partial<ServeNotes>): void;
}

export function openNotebook(folder: string, createSeries: () => string): ServeNotebook {
  const path = join(folder, 'serve.json');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of ours, which is replaced whole
  let notes = (existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : { series: createSeries() }) as unknown as ServeNotes;
  const write: ServeNotebook['write'] = (changes) => {
    notes = { ...notes, ...changes };
    writeFigures(path, notes);
  };
  write({});
  return {
    get notes() {
      return notes;
    },
    write,
  };
}
