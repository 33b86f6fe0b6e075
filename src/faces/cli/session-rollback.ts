import { rollback, rollbackDiff, rollbackList, type ChatRollback } from '../../commands/rollback.ts';
import { toCheckpointJson, renderCheckpoints } from './checkpoints.ts';
import { renderCommand, type CommandRenderer, type RendererRow } from './renderer.ts';
import { toDiffRows, drawDiffs, drawRollback, listRollbackNotices, toRollbackRows } from './rollback.ts';

const drawn: CommandRenderer<ChatRollback> = {
  text: (result, screen) => {
    if (result.type === 'list') return renderCheckpoints(result.checkpoints, screen);
    return result.type === 'diff' ? drawDiffs(result.files) : drawRollback(result.result, screen);
  },
  json: (result) => {
    if (result.type === 'list') return result.checkpoints.map(toCheckpointJson);
    return result.type === 'diff' ? toDiffRows(result.files) : toRollbackRows(result.result);
  },
  notices: (result) => (result.type === 'restored' ? listRollbackNotices(result.result) : []),
};
export const ROWS: readonly RendererRow[] = [
  renderCommand(rollback, drawn),
  renderCommand(rollbackDiff, drawn),
  renderCommand(rollbackList, drawn),
];
