import { listMakefileRecipes } from './given.ts';
import { type NestedAction, type FindNestedActions, toLineAction, toCommandAction } from '../call/handed.ts';
import { takeFlagCommand } from './shells.ts';

const after = (args: readonly string[], mark: RegExp): string[] => {
  const at = args.findIndex((word) => mark.test(word));
  const rest = at < 0 ? [] : args.slice(at + 1);
  const start = rest.findIndex((word) => !/^-./.test(word));
  return start < 0 ? [] : rest.slice(start);
};
const handedWords = (list: readonly string[]): NestedAction[] => (list.length === 0 ? [] : [toCommandAction(list)]);

/** Tools people call by a script of the same name: `yarn prisma …`, `npm run typeorm …`. */
const IN_SCRIPTS =
  /^(?:prisma|typeorm|sequelize|sequelize-cli|knex|drizzle-kit|mikro-orm|firebase|vercel|netlify|wrangler|cdk|cdktf|serverless|sls|sst|supabase|amplify|eas|shopify|rimraf|lerna|changeset|semantic-release|gh-pages|payload|strapi|medusa|hardhat|pm2)$/;

/** `npm exec -- a b`, `npm exec -c 'a b'`, and scripts that are put into the package. */
const packageTool: FindNestedActions = (call, textsOf) => {
  const { args } = call;
  const scripts = args.flatMap((word) => /^scripts\.[\w:-]+=([^]*)$/.exec(word)?.[1] ?? []).map((text) => toLineAction(text));
  const named = args.findIndex((word) => IN_SCRIPTS.test(word));
  if (named >= 0 && args.slice(0, named).every((word) => /^(?:run|run-script|-\S*)$/.test(word)))
    return [...scripts, toCommandAction(args.slice(named).filter((word) => word !== '--'))];
  const at = args.findIndex((word) => /^(?:exec|x|dlx|exe)$/.test(word));
  if (at < 0 || args.slice(0, at).some((word) => !word.startsWith('-'))) return scripts;
  const rest = args.slice(at + 1);
  const command = rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : after(args.slice(at), /^(?:exec|x|dlx|exe)$/);
  return [...scripts, ...takeFlagCommand('-c', '--call')({ ...call, args: rest }, textsOf), ...handedWords(command)];
};

/** Commands in a file of a build tool, in whatever form it writes them. */
const listed =
  (...files: readonly string[]): FindNestedActions =>
  ({ args }, textsOf) =>
    [...files, ...args]
      .flatMap((file) => textsOf(file) ?? [])
      .flatMap((text) => [...text.matchAll(SHARP_PIECE)].slice(0, 40))
      .map((found) => toLineAction(found[1] ?? ''));
const SHARP_PIECE =
  /(?:^|[\s'"[:=({,|&;@])((?:rm|dd|shred|sudo|mkfs\S*|chmod|chown|curl|wget|bash|sh|eval|find|cat|tee|mv|cp|git|kill|pkill)\s[^'"\])}\n]*)/g;

/** On another machine there is no floor, only consent. */
const afar = (each: NestedAction): NestedAction => (each.type === 'line' || each.type === 'words' ? { ...each, remote: true } : each);

/** Programs that hand on by a flag or a verb of their own. */
export const TOOLS: Readonly<Record<string, FindNestedActions>> = {
  npm: packageTool,
  pnpm: packageTool,
  yarn: packageTool,
  bun: packageTool,
  gio: ({ args }) =>
    /^(?:trash|remove)$/.test(args[0] ?? '') && !args.includes('--list') ? [toCommandAction(['rm', '-r', ...args.slice(1)])] : [],
  compgen: takeFlagCommand('-C'),
  just: listed('justfile', 'Justfile', '.justfile'),
  task: listed('Taskfile.yml', 'Taskfile.yaml'),
  ninja: listed('build.ninja'),
  cmake: listed('CMakeLists.txt'),
  meson: listed('meson.build'),
  gradle: listed('build.gradle', 'build.gradle.kts'),
  scons: listed('SConstruct'),
  invoke: listed('tasks.py'),
  nox: listed('noxfile.py'),
  lefthook: listed('lefthook.yml'),
  'pre-commit': listed('.pre-commit-config.yaml'),
  foreman: listed('Procfile'),
  overmind: listed('Procfile'),
  supervisord: listed('supervisord.conf'),
  act: listed('.github/workflows/ci.yml'),
  'ansible-playbook': listed(),
  vagrant: (call, textsOf) => [...listed('Vagrantfile')(call, textsOf), ...takeFlagCommand('-c', '--command')(call, textsOf).map(afar)],
  'nix-shell': takeFlagCommand('--run', '--command'),
  nix: ({ args }) => handedWords(after(args, /^(?:-c|--command)$/)),
  sops: ({ args }) => (/^exec-(?:env|file)$/.test(args[0] ?? '') ? args.slice(2).map((text) => toLineAction(text)) : []),
  concurrently: ({ args }) => args.filter((word) => /\s/.test(word)).map((text) => toLineAction(text)),
  'start-server-and-test': ({ args }) => args.filter((word) => /\s/.test(word)).map((text) => toLineAction(text)),
  crontab: listed(),
  logsave: ({ args }) => handedWords(args.filter((word) => !/^-[asv]+$/.test(word)).slice(1)),
  gdb: ({ args, fed }, textsOf) => [
    ...[...fed, ...args.flatMap((word, index) => (/^(?:-x|--command)$/.test(args[index - 1] ?? '') ? (textsOf(word) ?? []) : []))]
      .flatMap((text) => text.split('\n'))
      .flatMap((text) => /^\s*(?:shell|!|pipe|make)\s*(.+)$/.exec(text)?.[1] ?? [])
      .map((text) => toLineAction(text)),
    ...args.flatMap((word, index) =>
      /^(?:-ex|--ex|-iex|--eval-command)$/.test(word) ? [toLineAction((args[index + 1] ?? '').replace(/^\s*(?:shell|!)\s*/, ''))] : [],
    ),
    ...handedWords(after(args, /^-{1,2}args$/)),
  ],
  heroku: ({ args }) => handedWords(after(args, /^run(?::detached)?$/)).map(afar),
  fly: (call, textsOf) => takeFlagCommand('-C', '--command')(call, textsOf),
  flyctl: (call, textsOf) => takeFlagCommand('-C', '--command')(call, textsOf),
  gcloud: (call, textsOf) => takeFlagCommand('--command')(call, textsOf).map(afar),
  tar: ({ args }) =>
    args.flatMap((word, index) => {
      const action =
        /^--checkpoint-action=exec=([^]*)$/.exec(word)?.[1] ??
        /^--(?:to-command|use-compress-program|info-script|new-volume-script|rsh-command)=([^]*)$/.exec(word)?.[1];
      if (action !== undefined) return [toLineAction(action)];
      return /^(?:-I|-F|--to-command|--use-compress-program|--checkpoint-action)$/.test(word)
        ? [toLineAction((args[index + 1] ?? '').replace(/^exec=/, ''))]
        : [];
    }),
  make: ({ args, fed }) => [
    ...args.flatMap((word): NestedAction[] =>
      /^(?:SHELL|MAKE|\.SHELLFLAGS)=(?!\/?(?:usr\/)?(?:bin\/)?(?:ba|z|da)?sh$)/.test(word)
        ? [{ type: 'danger', reason: 'it makes make run its recipes by another program', key: 'interpreter_code' }]
        : [],
    ),
    ...args
      .flatMap((word, index) => (word === '--eval' || word === '-E' ? [args[index + 1] ?? ''] : (/^--eval=([^]*)$/.exec(word)?.[1] ?? [])))
      .map((text) => toLineAction(text.replace(/^[^:]*:\s*;?/, '').replace(/^\$\(shell ([^]*)\)$/, '$1'))),
    ...(args.some((word) => word === '-' || word === '-f-' || word === '/dev/stdin') ? fed.flatMap(listMakefileRecipes) : []),
  ],
  expect: ({ args, fed }, textsOf) =>
    [...args.flatMap((word, index) => (args[index - 1] === '-c' ? [word] : (textsOf(word) ?? []))), ...fed]
      .flatMap((text) => text.split(/[;\n]/))
      .flatMap((text) => /^\s*(?:spawn|system|exec)\s+(.+)$/.exec(text)?.[1] ?? [])
      .map((text) => toLineAction(text)),
};
