import { type NestedAction, type FindNestedActions, toLineAction, toCommandAction } from '../call/handed.ts';

/** Settings whose value git runs. */
const RUNS =
  /^(?:alias\.[^=]+|core\.(?:pager|editor|sshcommand|fsmonitor|gitproxy|askpass|hookspath)|credential\.(?:.+\.)?helper|diff\.(?:external|.+\.(?:command|textconv))|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|pager\..+|sequence\.editor|gpg\.program|gpg\..+\.program|uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack|proxy)|protocol\.ext\.allow|browser\..+\.cmd|difftool\..+\.cmd|mergetool\..+\.cmd|man\..+\.cmd|web\.browser)$/i;
/** Settings that only name a program everybody has. */
const USUAL =
  /^(?:(?:vim?|nvim|nano|emacs|code(?: --wait)?|less(?: -\w+)?|cat|more|delta|bat|diff-so-fancy[^;|&]*|true|store|cache(?: --timeout[= ]\d+)?|osxkeychain|manager(?:-core)?|libsecret|ssh(?: -[\w=/ ~.-]+)?|)|)$/;

/** Lines in git's settings, and commands it runs commit by commit. */
export const findGitCommands: FindNestedActions = ({ args }) => {
  const handed: NestedAction[] = args.flatMap((word, index) => {
    const next = args[index + 1] ?? '';
    if (word === '-c' || word === '--config') return setting(next);
    if (/^-c./.test(word)) return setting(word.slice(2));
    if (
      /^(?:-x|--extcmd|--upload-pack|--receive-pack|--exec|--tree-filter|--index-filter|--msg-filter|--commit-filter|--env-filter|--tag-name-filter)$/.test(
        word,
      )
    )
      return [toLineAction(next)];
    const joined = /^--(?:exec|upload-pack|receive-pack|open-files-in-pager|extcmd|tool)=([^]+)$/.exec(word)?.[1];
    return joined === undefined || /^\w+$/.test(joined) ? [] : [toLineAction(joined)];
  });
  const verbs = args.filter((word) => !word.startsWith('-'));
  if (verbs[0] === 'config') handed.push(...setting(`${verbs[1] ?? ''}=${verbs.slice(2).join(' ')}`));
  if (verbs[0] === 'bisect' && verbs[1] === 'run') handed.push(toCommandAction(args.slice(args.indexOf('run') + 1)));
  if (verbs[0] === 'submodule' && verbs[1] === 'foreach') handed.push(toLineAction(verbs.slice(2).join(' ')));
  return [
    ...handed,
    ...args.flatMap((word): NestedAction[] =>
      word.includes('ext::') ? [{ type: 'danger', reason: 'it makes git run a program of its choice', key: 'git_runs_program' }] : [],
    ),
  ];
};

function setting(text: string): NestedAction[] {
  const at = text.indexOf('=');
  const [name, value] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  if (!RUNS.test(name) || USUAL.test(value)) return [];
  const again = /^alias\./i.test(name) && new RegExp(`\\bgit\\s+${RegExp.escape(name.slice('alias.'.length))}\\b`).test(value);
  if (again && /(?<!&)&(?!&)|(?<!\|)\|(?!\|)/.test(value))
    return [{ type: 'danger', key: 'fork_bomb', reason: 'it starts processes without end', floor: true }];
  if (again) return [{ type: 'danger', key: 'resources', reason: 'it runs itself again and again' }];
  if (/^alias\./i.test(name))
    return value.startsWith('!') ? [toLineAction(value.slice(1))] : [toCommandAction(['git', ...value.split(/\s+/)])];
  return [
    { type: 'danger', reason: 'it makes git run a program of its choice', key: 'git_runs_program' },
    toLineAction(value.replace(/^!/, '')),
  ];
}
