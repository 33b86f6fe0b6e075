import type { AccountSettings, PlatformKind } from '../../contracts/platform-adapter.ts';
import { toPluginLine } from '../words/plugin-words.ts';

/** A platform of a plugin, as the gateway may call it: what it throws costs that one answer, and is told. Its adapter runs in a worker. */
export function guardPlatform(kind: PlatformKind, plugin: string, notice: (words: string) => void): PlatformKind {
  const guard =
    <Args extends readonly unknown[], Result>(run: (...args: Args) => Result, otherwise: (why: string, ...args: Args) => Result) =>
    (...args: Args): Result => {
      try {
        return run(...args);
      } catch (error) {
        const why = `The platform ${kind.id} of the plugin ${plugin} failed: ${toPluginLine(error)}`;
        notice(why);
        return otherwise(why, ...args);
      }
    };
  const { id, label, traits, variables, chatSettings } = kind;
  return {
    id,
    label: toPluginLine(label, 60),
    traits,
    variables: Object.fromEntries(
      Object.entries(variables).map(([name, field]) => [name, { ...field, describe: toPluginLine(field.describe, 200) }]),
    ),
    ...(chatSettings !== undefined && { chatSettings }),
    check: guard(
      (settings: AccountSettings) => {
        const why = kind.check(settings);
        return why === undefined ? undefined : toPluginLine(why);
      },
      (why) => why,
    ),
    credentials: guard(
      (settings: AccountSettings) => kind.credentials(settings),
      () => ({}),
    ),
    render: guard(
      (markdown: string) => kind.render(markdown),
      (_why, markdown) => markdown,
    ),
    ...(kind.toId !== undefined && {
      toId: guard(
        (written: string) => kind.toId?.(written) ?? written,
        (_why, written) => written,
      ),
    }),
    ...(kind.listTargets !== undefined && {
      listTargets: guard(
        (settings: AccountSettings, folder: string) => kind.listTargets?.(settings, folder) ?? [],
        () => [],
      ),
    }),
    open: (options) => kind.open(options),
  };
}
