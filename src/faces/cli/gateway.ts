import { toPrintable } from '../../base/printable.ts';
import { gatewayLogs } from '../../commands/gateway.ts';
import { gatewaySetup } from '../../commands/gateway-setup.ts';
import { wrapText } from '../../base/screen/wrap.ts';
import { renderCommand, type RendererRow } from './renderer.ts';

/** A log that is followed is shown as it grows. */
export const ROWS: readonly RendererRow[] = [
  renderCommand(gatewaySetup, {
    text: (result, { columns }) => `${wrapText(gatewaySetup.describe?.(result) ?? '', columns).join('\n')}\n`,
  }),
  renderCommand(gatewayLogs, {
    text: (log) => (log.wasFollowed === true ? '' : `${gatewayLogs.describe?.(log) ?? ''}\n`),
    progress: (lines, streams) => streams.out(`${toPrintable(lines.join('\n'))}\n`),
    jsonProgress: (lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  }),
];
