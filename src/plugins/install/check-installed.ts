import type { Env } from '../../base/env.ts';
import type { PluginProblem } from '../../contracts/services/plugin-folders.ts';
import type { PluginInfo } from '../../contracts/services/plugins.ts';
import type { FullData } from '../process/measure-data.ts';
import { DEPENDENCY_LINE, findLockProblem } from './dependencies.ts';
import { readOrigin } from './install-plugin.ts';

export interface PluginCheckOptions {
  readonly env: Env;
  /** The file that secrets of the profile stand in. */
  readonly envFile: string;
  /** What is wrong with its settings. */
  readonly settings?: string;
  /** What `memory.provider` says. */
  readonly memory: string;
  /** Its data folder holds too much. */
  readonly data?: FullData;
}
type Finding = Omit<PluginProblem, 'plugin'>;

/** What keeps one plugin from working, each with what to do about it. None of its code runs. */
export function checkInstalled(info: PluginInfo, options: PluginCheckOptions): readonly PluginProblem[] {
  const found = info.state === 'broken' ? [describeBroken(info)] : CHECKS.flatMap((check) => check(info, options));
  return found.map((finding) => ({ plugin: info.name, ...finding }));
}

const describeBroken = ({ name, why = '', path }: PluginInfo): Finding => ({
  problem: `cannot be used: ${why}`,
  fix: `Correct ${path}, or type: hermes plugins update ${name}`,
  isWarning: false,
});

const CHECKS: readonly ((info: PluginInfo, options: PluginCheckOptions) => readonly Finding[])[] = [
  ({ name, state, grown }) => {
    if (state !== 'changed' && state !== 'grown') return [];
    const more = grown.length === 0 ? '' : ` It wants more than before: ${grown.join(' ')}`;
    return [
      {
        problem: `does not run: its content (hash) changed since you enabled it.${more}`,
        fix: `Look at it, then type: hermes plugins enable ${name}`,
        isWarning: false,
      },
    ];
  },
  ({ manifest }, { env, envFile }) =>
    (manifest?.capabilities.secrets ?? [])
      .filter((secret) => (env[secret] ?? '') === '')
      .map((secret) => ({
        problem: `${secret} is not set`,
        fix: `If it is needed, add the line ${secret}=VALUE to ${envFile}`,
        isWarning: true,
      })),
  ({ name, state, manifest }, { memory }) =>
    state === 'enabled' || manifest?.memoryProvider !== memory
      ? []
      : [
          {
            problem: `memory.provider names ${memory}, which comes with this plugin, and the plugin is not enabled`,
            fix: `Type: hermes plugins enable ${name}, or: hermes memory off`,
            isWarning: false,
          },
        ],
  (_info, { settings }) =>
    settings === undefined ? [] : [{ problem: `a setting is wrong: ${settings}`, fix: 'Correct that line.', isWarning: false }],
  (_info, { data }) => (data === undefined ? [] : [{ problem: `does not run: ${data.problem}`, fix: `${data.fix}.`, isWarning: false }]),
  ({ name, path }) => {
    const kept = readOrigin(path);
    const problem = findLockProblem(path, kept?.lock);
    if (problem === undefined) return [];
    const fix = kept === undefined ? `In ${path}, type: ${DEPENDENCY_LINE}` : `Type: hermes plugins update ${name}`;
    return [{ problem, fix, isWarning: false }];
  },
  ({ isolation }) =>
    isolation === 'process'
      ? [
          {
            problem: 'is not isolated: this machine has no sandbox that works',
            fix: 'Use a Linux kernel with Landlock (5.13 or newer) or install bubblewrap (Debian, Ubuntu: sudo apt install bubblewrap), then type: hermes doctor',
            isWarning: true,
          },
        ]
      : [],
  ({ warnings, path }) => warnings.map((words) => ({ problem: words, fix: `Edit ${path}/plugin.yaml`, isWarning: true })),
];
