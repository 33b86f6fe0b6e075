import { measureColumns } from '../../base/screen/wrap.ts';
import { paintFor } from '../../base/screen/paint.ts';
import { drawTurn, type LiveTurn } from './live.ts';
import { startSpinner, type Spinner } from './spinner.ts';
import { createProcessStreams } from './streams.ts';

/** The terminal of this process as a place to draw a turn on. A screen that cannot take a line back has no spinner. */
export function openLiveScreen(): Disposable & { readonly turn: LiveTurn; readonly spinner?: Spinner } {
  const streams = createProcessStreams();
  const columns = () => measureColumns(process.stdout);
  const spins = streams.watched && process.env['TERM'] !== 'dumb';
  const spinner = spins ? startSpinner({ streams, columns, now: () => performance.now() }) : undefined;
  const shared = spinner === undefined ? {} : { spinner };
  return {
    turn: drawTurn({ streams, paint: paintFor(process.stdout, process.env), columns, ...shared }),
    ...shared,
    [Symbol.dispose]: () => spinner?.stop(),
  };
}
