import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { abbreviateHome } from '../../../base/home.ts';
import { formatCount } from '../../../base/screen/figures.ts';
import type { Session } from '../../../contracts/session-store.ts';
import type { FaceBackend } from './deps.ts';
import type { Face } from './face.ts';
import type { Block } from '../contract.ts';
import { drawBanner } from '../status/banner.ts';
import { applyEntries } from '../transcript/entries.ts';

/** How long the first words wait for the terminal to tell its background: they are printed once, in the colors of that moment. */
const BACKGROUND_MS = 100;

/** The first words: what runs, where, and how to go on. */
export async function showBanner(face: Face, backend: FaceBackend, stored: Session | undefined): Promise<void> {
  const { options, state, deps, keys } = face;
  const folder = resolve(options.session.cwd ?? stored?.cwd ?? backend.host.cwd);
  const facts = await backend.describe(options.session.model ?? {}, folder, stored);
  state.facts = facts;
  await Promise.race([deps.terminal.background, pause(BACKGROUND_MS)]);
  const { branding } = state.look.skin;
  const drawn = drawBanner(
    {
      name: branding.agentName ?? 'Hermes',
      version: deps.version,
      model: facts.model,
      provider: facts.provider,
      caching: facts.caching,
      tools: facts.tools,
      skills: facts.skills,
      folder: abbreviateHome(folder),
      ...(stored !== undefined && {
        session: stored.id,
        resumed: { messages: stored.messages, ...(stored.title !== undefined && { title: stored.title }) },
      }),
      hints: [
        '/help lists the commands',
        `${keys.keysOf('new_line')[1] ?? 'Alt+Enter'} begins a new line`,
        '@ attaches a file',
        `${keys.keysOf('exit')[0] ?? 'Ctrl+D'} exits`,
      ],
      ...(branding.logo !== undefined && { logo: branding.logo }),
      ...(branding.welcome !== undefined && { welcome: branding.welcome }),
    },
    { ...deps.terminal.size, style: state.look.style },
  );
  sayDrawn(face, drawn);
}

/** A session that goes on, drawn as it was live: all of it, or its last exchanges and a line that says how to see the rest. */
export function showEarlier(face: Face, blocks: readonly Block[], isEnd = false): void {
  const { earlier, shown } = takeLastExchanges(blocks, countShown(face));
  const viewer = face.keys.keysOf('viewer')[0] ?? 'Ctrl+O';
  const left = isEnd ? 'Earlier exchanges are' : `${formatCount(earlier, 'earlier exchange')} ${earlier === 1 ? 'is' : 'are'}`;
  if (shown.length > 0 && (isEnd || earlier > 0))
    face.stage.show([{ kind: 'note', text: `${left} not shown here. ${viewer} shows the whole session.` }]);
  face.stage.show(shown);
  face.stage.invalidate();
}

const countShown = ({ state }: Face): number =>
  state.settings['display.resume_display'] === 'full' ? state.settings['display.resume_exchanges'] : 0;

/** The blocks from the last so many messages of the person on, and how many of them came before. */
function takeLastExchanges(blocks: readonly Block[], most: number): { readonly earlier: number; readonly shown: readonly Block[] } {
  const starts = blocks.flatMap((block, index) => (block.kind === 'user' && block.origin === 'user' ? [index] : []));
  const earlier = Math.max(0, starts.length - most);
  if (most === 0) return { earlier, shown: [] };
  return { earlier, shown: earlier === 0 ? blocks : blocks.slice(starts[earlier]) };
}

/** So many entries of a log's end usually have all that is shown. */
const END_ENTRIES = 1_000;

/** The same from the end of a long log, before all of it is read. Says whether it was shown: a few long turns can fill the end. */
export async function showEnd(face: Face, { host }: FaceBackend, { id, messages }: Session): Promise<boolean> {
  const most = countShown(face);
  if (most === 0 || messages <= END_ENTRIES) return false;
  // A log has at least as many entries as messages.
  const { finished } = applyEntries(await host.store.entries(id, messages - END_ENTRIES));
  const blocks = finished.map(({ block }) => block);
  if (takeLastExchanges(blocks, most).earlier === 0) return false;
  showEarlier(face, blocks, true);
  return true;
}

function sayDrawn({ stage }: Face, lines: readonly string[]): void {
  stage.aside({ kind: 'aside', tone: 'banner', drawn: true, text: lines.join('\n') });
  stage.invalidate();
}
