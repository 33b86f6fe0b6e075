import { wrapText } from '../../base/screen/wrap.ts';
import { toVisibleLine } from '../../base/visible.ts';
import type { SetupProgress } from '../../commands/setup-route.ts';
import type { FolderChoice } from '../../commands/setup-trust.ts';
import { setup, type SavedRoute, type SetupResult } from '../../commands/setup.ts';
import { renderCommand, type RendererRow, type RenderScreen } from './renderer.ts';

/** What was chosen, each with the command that changes it, and one line to type next. */
function renderSetup({ route, backend, folder, trouble, next }: SetupResult, screen: RenderScreen): string {
  const rows = [
    ...(route === undefined ? [] : describeRoute(route)),
    row('Terminal', backend.words, 'hermes setup terminal'),
    ...(folder === undefined ? [] : describeFolder(folder)),
  ];
  const lines = rows.flatMap((cells) => renderRow(cells, screen));
  const problem = trouble === undefined ? [] : ['', ...wrapText(toVisibleLine(trouble.words), screen.columns).map(screen.paint.bad)];
  const saved =
    trouble !== undefined && route !== undefined ? wrapText('The settings are saved. The model did not answer yet.', screen.columns) : [];
  return [...lines, ...problem, ...saved, '', `${NEXT[trouble === undefined ? 'start' : 'retry']} ${screen.paint.strong(next)}`, ''].join(
    '\n',
  );
}
const NEXT = { start: 'Next:', retry: 'Then:' } as const;

interface SetupRow {
  readonly name: string;
  readonly words: string;
  readonly change?: string;
}
const row = (name: string, words: string, change?: string): SetupRow => ({ name, words, ...(change !== undefined && { change }) });

function describeRoute({ provider, model, offered, checked, key }: SavedRoute): readonly SetupRow[] {
  const count = offered === undefined ? '' : `, one of ${offered}`;
  return [
    row('Provider', `${provider}${CHECKED[checked]}`, 'hermes setup'),
    row('Model', `${toVisibleLine(model)}${count}`, 'hermes model'),
    ...(key === undefined ? [] : [row('Key', `${key.variable} in ${key.file}, which only you can read`)]),
  ];
}
const CHECKED: Readonly<Record<SavedRoute['checked'], string>> = { answered: ', answers', listed: ', runs here', no: ', not checked' };

function describeFolder({ folder, choice, cure }: FolderChoice): readonly SetupRow[] {
  const shown = toVisibleLine(folder);
  if (choice === 'trust') return [row('Folder', `${shown} is trusted: its code runs without asking`, 'hermes trust remove .')];
  return [
    row('Folder', `${shown}: you are asked before its code runs`, 'hermes trust'),
    ...(choice === 'ask' ? [] : [row('Sandbox', cure)]),
  ];
}

/** Narrower than this, what changes it stands on a line of its own. */
const BESIDE_COLUMNS = 60;

function renderRow({ name, words, change }: SetupRow, { paint, columns }: RenderScreen): string[] {
  const mark = paint.good('✓');
  const how = change === undefined ? '' : `change it: ${change}`;
  const line = `${name}: ${words}`;
  const isBeside = columns >= BESIDE_COLUMNS && line.length + how.length + 6 <= columns;
  if (isBeside) return [`${mark} ${line}${how === '' ? '' : `  ${paint.faint(how)}`}`];
  const [first = '', ...rest] = wrapText(line, columns - 2);
  return [
    `${mark} ${first}`,
    ...rest.map((each) => `  ${each}`),
    ...(how === '' ? [] : wrapText(how, columns - 2).map((each) => `  ${paint.faint(each)}`)),
  ];
}

function describeProgress(progress: SetupProgress): string {
  if (progress.type === 'wrong_key')
    return progress.isFirst ? 'The server asks for a key.' : `The key was refused: ${toVisibleLine(progress.words)} Try another.`;
  const { provider, model } = progress;
  return model === undefined ? `Asking ${provider} for its models …` : `Asking ${toVisibleLine(model)} a question …`;
}

export const ROWS: readonly RendererRow[] = [
  renderCommand(setup, {
    text: renderSetup,
    progress: (progress: SetupProgress, { err }, { columns }) => err(`${wrapText(describeProgress(progress), columns).join('\n')}\n`),
  }),
];
