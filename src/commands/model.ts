import { UsageError } from '../base/errors.ts';
import type { CommandContext } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { CurrentModel, ModelLine, ModelListResult, ModelService, ProviderLine } from '../contracts/services/models.ts';
import { findModel, findNearestModel } from './choose-model.ts';
import { describeModelFacts } from './model-facts.ts';

export type ModelResult =
  | {
      readonly type: 'list';
      readonly provider: string;
      /** Absent when none is configured, or it is another provider's. */
      readonly current?: string;
      readonly models: readonly ModelLine[];
    }
  | {
      readonly type: 'set';
      readonly provider: string;
      readonly model: ModelLine;
      readonly file: string;
      /** Absent when it was the model already. */
      readonly before?: string;
      /** Why nobody knows whether the provider has it. */
      readonly unchecked?: string;
    };

/** Shows, lists and changes the model of every session that begins from now on. */
export const model = defineCommand({
  category: 'settings',
  where: ['shell'],
  whileBusy: 'run',
  name: 'model',
  summary: 'Show the models of your provider and choose one',
  arguments: { name: { kind: 'text', description: 'the model to use from now on, or a part of its name' } },
  options: {
    provider: { kind: 'text', placeholder: 'name', description: 'use this provider instead of the current one' },
    list: { kind: 'flag', description: 'list the models and ask nothing' },
  },
  json: 'one JSON array, or the change as JSON',
  examples: ['hermes model', 'hermes model claude-sonnet-4.6', 'hermes model --list --json'],
  needs: ['models', 'configuration'],
  run: async ({ name, provider: named, list: listOnly = false }, { models, configuration }, context): Promise<ModelResult> => {
    const current = await models.current();
    const provider = await findProvider(named, current, models);
    const route = current?.provider === provider.id ? current : undefined;
    // An address in the settings chooses its provider without naming it.
    const list = await models.list(route ?? { provider: provider.id }, context.signal);
    context.signal.throwIfAborted();
    const own = route?.model;
    const picked = await pickModel({ name, listOnly, own }, list, provider, context);
    if (picked === undefined)
      return { type: 'list', provider: provider.id, ...(own !== undefined && { current: own }), models: listed(list, provider) };
    const isSwitch = named !== undefined && current?.provider !== provider.id;
    const { file, changed } = await configuration.change({
      ...(isSwitch && { 'model.provider': provider.id, 'model.base_url': undefined }),
      'model.default': picked.id,
    });
    return {
      type: 'set',
      provider: provider.id,
      model: picked,
      file,
      ...(changed.length > 0 && { before: own ?? current?.model ?? '' }),
      ...(!list.ok && { unchecked: list.words }),
    };
  },
});

async function findProvider(named: string | undefined, current: CurrentModel | undefined, models: ModelService): Promise<ProviderLine> {
  if (named === undefined && current === undefined) throw new UsageError('no model is configured yet. To connect one: hermes setup');
  return models.provider(named ?? current?.provider ?? '');
}

function listed(list: ModelListResult, { id }: ProviderLine): readonly ModelLine[] {
  if (list.ok) return list.models;
  throw new UsageError(`the models of ${id} could not be listed. ${list.words} To set it up: hermes setup --provider ${id}`);
}

interface ModelWish {
  readonly name: string | undefined;
  readonly listOnly: boolean;
  readonly own: string | undefined;
}

/** The model to set; nothing when the list is to be shown. */
async function pickModel(
  { name, listOnly, own }: ModelWish,
  list: ModelListResult,
  provider: ProviderLine,
  { choose, confirm, isForProgram }: CommandContext,
): Promise<ModelLine | undefined> {
  // Out of reach, a provider is taken at the owner's word; a key that is refused must be mended first.
  const offered = list.ok || list.why === 'wrong_key' ? listed(list, provider) : [];
  if (name !== undefined) {
    const nearest = offered.some(({ id }) => id.toLowerCase().includes(name.toLowerCase())) ? undefined : findNearestModel(name, offered);
    if (nearest === undefined || confirm === undefined) return findModel(name, offered, provider.id);
    if (await confirm(`${provider.id} has no model ${name}. Use ${nearest}?`)) return findModel(nearest, offered, provider.id);
    throw new UsageError('the model was not changed.');
  }
  if (listOnly || choose === undefined || isForProgram === true) return undefined;
  const choices = listed(list, provider).map((line) => ({ value: line.id, note: describeModelFacts(line) }));
  const id = await choose({ question: `Which model of ${provider.id}?`, choices, ...(own !== undefined && { suggested: own }) });
  return findModel(id, offered, provider.id);
}
