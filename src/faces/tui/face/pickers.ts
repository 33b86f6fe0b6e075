import type { KeyWidget } from '../contract.ts';
import type { FaceBackend } from './deps.ts';
import type { Face } from './face.ts';
import type { SessionItem } from '../input/pickers.ts';
import { THEMES } from '../theme/themes.ts';

/** Shows a picker in place of the editor until something is picked or it is left. */
async function showPicker(
  face: Face,
  make: (deps: { onCancel: () => void; onChange: () => void }) => Promise<KeyWidget> | KeyWidget,
): Promise<void> {
  const { state, stage } = face;
  const close = (): void => {
    state.overlay = undefined;
    stage.invalidate();
  };
  state.overlay = await make({ onCancel: close, onChange: () => stage.invalidate() });
  stage.invalidate();
}
const closing =
  <Item>(face: Face, act: (item: Item) => void) =>
  (item: Item): void => {
    face.state.overlay = undefined;
    act(item);
    face.stage.invalidate();
  };

/** Commands that open a picker when nothing stands behind the name. */
const PICKERS: Readonly<Record<string, (face: Face) => Promise<void>>> = {
  resume: pickSession,
  sessions: pickSession,
  model: pickModel,
  skin: pickTheme,
};

/** The picker that a line opens. */
export async function findPicker(line: string, { host }: Pick<FaceBackend, 'host'>): Promise<((face: Face) => Promise<void>) | undefined> {
  const name = await host.commands.findBare(line, 'terminal');
  return name !== undefined && Object.hasOwn(PICKERS, name) ? PICKERS[name] : undefined;
}

export async function pickSession(face: Face): Promise<void> {
  const { backend, conversation } = await face.ready;
  const { createSessionPicker } = await import('../input/pickers.ts');
  const { store } = backend.host;
  const find = async (query: string): Promise<readonly SessionItem[]> => {
    if (query.trim() === '') return store.list({ limit: MAX_SESSIONS });
    const hits = await store.search({ text: query, limit: MAX_SESSIONS });
    const found = new Map(hits.map((hit) => [hit.sessionId, hit.snippet]));
    const sessions = await Promise.all([...found.keys()].map((id) => store.find(id)));
    return sessions.flatMap(([session]) => (session === undefined ? [] : [{ ...session, found: found.get(session.id) ?? '' }]));
  };
  const onPick = closing(face, ({ id }: SessionItem) => void conversation.command(`/resume ${id}`));
  await showPicker(face, (deps) => createSessionPicker(find, Date.now, { ...deps, onPick }));
}
const MAX_SESSIONS = 50;

async function pickModel(face: Face): Promise<void> {
  const { backend, conversation } = await face.ready;
  const { createModelPicker } = await import('../input/pickers.ts');
  const { model = '', provider = '' } = conversation.session?.runtime ?? face.state.facts ?? {};
  const models = await backend.listModels(provider);
  const items = [...new Set([model, ...models])].map((name) => ({ model: name, provider }));
  const onPick = closing(face, (item: (typeof items)[number]) => void conversation.command(`/model ${item.model}`));
  await showPicker(face, (deps) => createModelPicker(items, model, { ...deps, onPick }));
}

async function pickTheme(face: Face): Promise<void> {
  const { createThemePicker } = await import('../input/pickers.ts');
  const { backend } = await face.ready;
  const names = ['default', ...THEMES.map(({ name }) => name), ...(await backend.listSkins())];
  const before = face.state.settings;
  const use = (name: string): void => {
    face.state.settings = { ...face.state.settings, 'display.skin': name };
    void face.restyle();
  };
  await showPicker(face, ({ onCancel, onChange }) =>
    createThemePicker([...new Set(names)], {
      onChange,
      onMove: use,
      onPick: closing(face, (name: string) => {
        use(name);
        face.hint(`The theme is ${name} in this run. To keep it: /skin ${name} --save`);
      }),
      onCancel: () => {
        face.state.settings = before;
        void face.restyle();
        onCancel();
      },
    }),
  );
}

export async function searchHistory(face: Face, entries: readonly string[]): Promise<void> {
  const { createHistorySearch } = await import('../input/pickers.ts');
  await showPicker(face, (deps) =>
    createHistorySearch(entries, { ...deps, onPick: closing(face, (text: string) => face.editor.set(text)) }),
  );
}

export async function openPalette(face: Face): Promise<void> {
  const { backend } = await face.ready;
  const { createPalette } = await import('../input/pickers.ts');
  const commands = await backend.host.commands.list('terminal');
  await showPicker(face, (deps) =>
    createPalette(commands, { ...deps, onPick: closing(face, ({ name }: { readonly name: string }) => face.editor.set(`/${name} `)) }),
  );
}
