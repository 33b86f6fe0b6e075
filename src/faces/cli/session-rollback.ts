import { rollback, rollbackDiff, rollbackList, type ChatRollback } from '../../commands/rollback.ts';
import { checkpointJson, renderCheckpoints } from './checkpoints.ts';
import { renderCommand, type CommandRenderer, type RendererRow } from './renderer.ts';
import { diffRows, drawDiffs, drawRollback, rollbackNotices, rollbackRows } from './rollback.ts';

const drawn: CommandRenderer<ChatRollback> = {
  text: (result, screen) => {
    if (result.type === 'list') return renderCheckpoints(result.checkpoints, screen);
    return result.type === 'diff' ? drawDiffs(result.files) : drawRollback(result.result, screen);
  },
  json: (result) => {
    if (result.type === 'list') return result.checkpoints.map(checkpointJson);
    return result.type === 'diff' ? diffRows(result.files) : rollbackRows(result.result);
  },
  notices: (result) => (result.type === 'restored' ? rollbackNotices(result.result) : []),
};
export const ROWS: readonly RendererRow[] = [
  renderCommand(rollback, drawn),
  renderCommand(rollbackDiff, drawn),
  renderCommand(rollbackList, drawn),
];
