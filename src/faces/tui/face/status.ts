import { DEFAULT_PROFILE, toProfileName } from '../../../base/profile.ts';
import type { Usage } from '../../../contracts/message.ts';
import type { Face } from './face.ts';
import { showTitle } from './notify.ts';
import type { StatusFacts } from '../status/status-bar.ts';

/** What the status bar shows now. */
export function collectStatus({ opened, state, stage, deps }: Face): StatusFacts {
  const session = opened?.conversation.session;
  const { counters } = stage.transcript;
  const window = session?.runtime.limits.window ?? state.facts?.window;
  const profile = toProfileName(deps.home.root);
  const sent = sumSent(counters.usage);
  return {
    model: session?.runtime.model ?? state.facts?.model ?? 'starting …',
    ...(window !== undefined && {
      context: { used: counters.last === undefined ? 0 : sumSent(counters.last) + counters.last.output, window },
    }),
    ...(sent > 0 && { cacheShare: counters.usage.cacheRead / sent }),
    ...(state.cost > 0 && { cost: state.cost }),
    ...(state.since !== undefined && { since: state.since }),
    background: state.backgroundCount,
    queued: state.posted.length,
    compactions: counters.compactions,
    ...(state.title !== undefined && { title: state.title }),
    ...(profile !== DEFAULT_PROFILE && { profile }),
    yolo: session?.allowAll !== undefined,
  };
}
const sumSent = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite;

/** What only the store knows, read again when a turn has ended. */
export async function refreshStatus(face: Face): Promise<void> {
  const { opened, state, stage } = face;
  const session = opened?.conversation.session;
  if (opened === undefined || session === undefined) return;
  const { id } = session.session;
  const { store } = opened.backend.host;
  const [spent, [stored], running] = await Promise.all([store.spent(id), store.find(id), opened.backend.countBackground(id)]);
  Object.assign(state, { cost: spent.price, title: stored?.title, backgroundCount: running });
  showTitle(face);
  stage.invalidate('stream');
}
