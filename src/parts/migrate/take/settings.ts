import { isDeepStrictEqual } from 'node:util';
import { formatCount } from '../../../base/screen/figures.ts';
import type { ForeignHome } from '../foreign/foreign-home.ts';
import { have, leave, SHARED_FILE, taking, type ConfigTarget, type ConfigText, type MigrationTarget, type PlannedItem } from './target.ts';

const FILE = 'config.yaml';

/** What becomes of the settings, and our file as it is afterwards. */
export interface SettingsPlan {
  readonly items: readonly PlannedItem[];
  readonly text: string;
}

/** A file in our own format comes whole where we have none, with its comments; else every value that nothing here contradicts. */
export async function planSettings({ settings }: ForeignHome, { config, shared }: MigrationTarget): Promise<SettingsPlan> {
  const text = config.text ?? '';
  if (settings.text === undefined) return planValues(settings.values, config);
  const read = await config.read(settings.text);
  const problems = read.problems.map(({ key, words }) => leave('config', key === '' ? FILE : key, words));
  if (shared) return { items: [have('config', FILE, SHARED_FILE), ...problems], text };
  if (read.problems.some(({ key }) => key === '')) return { items: problems, text };
  if (config.text === undefined) return planFile(settings.text, read, config);
  const { items, text: after } = await planValues(read.values, config);
  return { items: [...items, ...problems], text: after };
}

/** The whole file without what would be misread. */
function planFile(theirs: string, { problems, ignored }: ConfigText, config: ConfigTarget): SettingsPlan {
  const text = problems.reduce((rest, { key }) => config.withoutSetting(rest, key), theirs);
  const why = ignored === 0 ? undefined : `with its comments; ${formatCount(ignored, 'key')} in it will have no effect here`;
  const take = taking(() => config.write(text));
  return {
    items: [
      { kind: 'config', name: FILE, state: 'take', ...(why !== undefined && { why }), changes: config.path, take },
      ...problems.map(({ key, words }) => leave('config', key, words)),
    ],
    text,
  };
}

/** One item for each key, so that what is not taken is told by its name. */
async function planValues(values: ReadonlyMap<string, unknown>, config: ConfigTarget): Promise<SettingsPlan> {
  const ours = (await config.read(config.text ?? '')).values;
  let written = config.text ?? '';
  let text = written;
  const items = [...values].map(([key, value]): PlannedItem => {
    if (ours.has(key)) return isDeepStrictEqual(ours.get(key), value) ? have('config', key) : leave('config', key, 'your own value stays');
    const refusal = config.refuse(key, value);
    if (refusal !== undefined) return leave('config', key, refusal);
    text = config.withSetting(text, key, value);
    const take = taking(() => {
      written = config.withSetting(written, key, value);
      config.write(written);
    });
    return { kind: 'config', name: key, state: 'take', changes: config.path, take };
  });
  return { items, text };
}

/** Keys and other variables, each by its name; values are never told. */
export function planVariables({ variables: theirs }: ForeignHome, { variables, shared }: MigrationTarget): readonly PlannedItem[] {
  return [...theirs].flatMap(([name, value]): PlannedItem[] => {
    if (value === '') return [];
    if (shared || variables.values.get(name) === value) return [have('secrets', name, shared ? SHARED_FILE : undefined)];
    if (variables.values.has(name)) return [leave('secrets', name, 'your own value stays')];
    const refusal = variables.refuse(name, value);
    if (refusal !== undefined) return [leave('secrets', name, refusal)];
    return [{ kind: 'secrets', name, state: 'take', changes: variables.path, take: taking(() => variables.add(name, value)) }];
  });
}
