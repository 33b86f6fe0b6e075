import type { Block } from '../contract.ts';
import { drawBlock } from '../draw/block.ts';
import type { Face } from './face.ts';
import { applyEntries } from '../transcript/entries.ts';

/** All of the session on the alternate screen, nothing folded: scrolled, searched, and left again. */
export async function showViewer(face: Face): Promise<void> {
  const { opened, state, stage, deps } = face;
  const session = opened?.conversation.session;
  if (opened === undefined || session === undefined) return face.hint('There is nothing to view yet.');
  const entries = await opened.backend.host.store.entries(session.session.id);
  const { finished } = applyEntries(entries);
  const blocks: readonly Block[] = finished.map(({ block }) => block);
  const { openViewer } = await import('../screen/viewer.ts');
  await face.loadColors(blocks);
  stage.pause();
  const viewer = openViewer({
    title: state.title ?? session.session.id,
    write: (bytes) => deps.terminal.write(bytes),
    size: deps.terminal.size,
    style: state.look.style,
    source: {
      count: blocks.length,
      lines: (index, columns) => {
        const block = blocks[index];
        return block === undefined ? [] : [...drawBlock(block, { ...face.context(), columns, expanded: true, showThinking: true }), ''];
      },
    },
    onClose: () => {
      state.viewer = undefined;
      state.overlay = undefined;
      stage.resume();
    },
  });
  state.viewer = viewer;
  state.overlay = { render: () => [], handleKey: (data) => viewer.handleKey(data) };
}
