import { isDeepStrictEqual } from 'node:util';
import type { ForeignHome } from '../foreign/foreign-home.ts';
import { have, leave, SHARED_FILE, taking, type ConfigTarget, type MigrationTarget, type PlannedItem } from './target.ts';

const FILE = 'config.yaml';

/** A file in our own format comes whole where we have none, with its comments; else every value that nothing here contradicts. */
export async function planSettings({ settings }: ForeignHome, { config, shared }: MigrationTarget): Promise<readonly PlannedItem[]> {
  if (settings.text === undefined) return planValues(settings.values, config);
  const read = await config.read(settings.text);
  const problems = read.problems.map(({ key, words }) => leave('config', key === '' ? FILE : key, words));
  if (shared) return [have('config', FILE, SHARED_FILE), ...problems];
  if (read.problems.some(({ key }) => key === '')) return problems;
  if (config.text !== undefined) return [...(await planValues(read.values, config)), ...problems];
  const text = read.problems.reduce((rest, { key }) => config.withoutSetting(rest, key), settings.text);
  const why = read.ignored === 0 ? undefined : `with its comments; ${read.ignored} of its keys have no effect here`;
  return [
    {
      kind: 'config',
      name: FILE,
      state: 'take',
      ...(why !== undefined && { why }),
      changes: config.path,
      take: taking(() => config.write(text)),
    },
    ...problems,
  ];
}

/** One item for each key, so that what is not taken is told by its name. */
async function planValues(values: ReadonlyMap<string, unknown>, config: ConfigTarget): Promise<readonly PlannedItem[]> {
  const ours = (await config.read(config.text ?? '')).values;
  let text = config.text ?? '';
  return [...values].map(([key, value]) => {
    if (ours.has(key)) return isDeepStrictEqual(ours.get(key), value) ? have('config', key) : leave('config', key, 'your own value stays');
    const refusal = config.refuse(key, value);
    if (refusal !== undefined) return leave('config', key, refusal);
    const take = taking(() => {
      text = config.withSetting(text, key, value);
      config.write(text);
    });
    return { kind: 'config', name: key, state: 'take', changes: config.path, take };
  });
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
