import { recipes } from './given.ts';
import { type Handed, type HandOn, line, words } from './handed.ts';
import { behind } from './shells.ts';

const after = (args: readonly string[], mark: RegExp): string[] => {
  const at = args.findIndex((word) => mark.test(word));
  const rest = at < 0 ? [] : args.slice(at + 1);
  const start = rest.findIndex((word) => !/^-./.test(word));
  return start < 0 ? [] : rest.slice(start);
};
const handedWords = (list: readonly string[]): Handed[] => (list.length === 0 ? [] : [words(list)]);

/** `npm exec -- a b`, `npm exec -c 'a b'`, and scripts that are put into the package. */
const packageTool: HandOn = (call, textsOf) => {
  const { args } = call;
  const scripts = args.flatMap((word) => /^scripts\.[\w:-]+=([^]*)$/.exec(word)?.[1] ?? []).map((text) => line(text));
  const at = args.findIndex((word) => /^(?:exec|x|dlx|exe)$/.test(word));
  if (at < 0 || args.slice(0, at).some((word) => !word.startsWith('-'))) return scripts;
  const rest = args.slice(at + 1);
  const command = rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : after(args.slice(at), /^(?:exec|x|dlx|exe)$/);
  return [...scripts, ...behind('-c', '--call')({ ...call, args: rest }, textsOf), ...handedWords(command)];
};

/** Programs that hand on by a flag or a verb of their own. */
export const TOOLS: Readonly<Record<string, HandOn>> = {
  npm: packageTool,
  pnpm: packageTool,
  yarn: packageTool,
  bun: packageTool,
  gio: ({ args }) => (/^(?:trash|remove)$/.test(args[0] ?? '') && !args.includes('--list') ? [words(['rm', '-r', ...args.slice(1)])] : []),
  compgen: behind('-C'),
  logsave: ({ args }) => handedWords(args.filter((word) => !/^-[asv]+$/.test(word)).slice(1)),
  gdb: ({ args }) => [
    ...args.flatMap((word, index) =>
      /^(?:-ex|--ex|-iex|--eval-command)$/.test(word) ? [line((args[index + 1] ?? '').replace(/^\s*(?:shell|!)\s*/, ''))] : [],
    ),
    ...handedWords(after(args, /^-{1,2}args$/)),
  ],
  heroku: ({ args }) => handedWords(after(args, /^run(?::detached)?$/)).map((each): Handed => (each.type === 'words' ? { ...each, remote: true } : each)),
  fly: (call, textsOf) => behind('-C', '--command')(call, textsOf),
  flyctl: (call, textsOf) => behind('-C', '--command')(call, textsOf),
  gcloud: (call, textsOf) => behind('--command')(call, textsOf).map((each): Handed => (each.type === 'line' ? { ...each, remote: true } : each)),
  tar: ({ args }) =>
    args.flatMap((word, index) => {
      const action =
        /^--checkpoint-action=exec=([^]*)$/.exec(word)?.[1] ??
        /^--(?:to-command|use-compress-program|info-script|new-volume-script|rsh-command)=([^]*)$/.exec(word)?.[1];
      if (action !== undefined) return [line(action)];
      return /^(?:-I|-F|--to-command|--use-compress-program|--checkpoint-action)$/.test(word) ? [line((args[index + 1] ?? '').replace(/^exec=/, ''))] : [];
    }),
  make: ({ args, fed }) => [
    ...args.flatMap((word): Handed[] =>
      /^(?:SHELL|MAKE|\.SHELLFLAGS)=(?!\/?(?:usr\/)?(?:bin\/)?(?:ba|z|da)?sh$)/.test(word)
        ? [{ type: 'danger', reason: 'it makes make run its recipes by another program', key: 'interpreter_code' }]
        : [],
    ),
    ...args
      .flatMap((word, index) => (word === '--eval' || word === '-E' ? [args[index + 1] ?? ''] : (/^--eval=([^]*)$/.exec(word)?.[1] ?? [])))
      .map((text) => line(text.replace(/^[^:]*:\s*;?/, '').replace(/^\$\(shell ([^]*)\)$/, '$1'))),
    ...(args.some((word) => word === '-' || word === '-f-' || word === '/dev/stdin') ? fed.flatMap(recipes) : []),
  ],
  expect: ({ args, fed }, textsOf) =>
    [
      ...args.flatMap((word, index) => (args[index - 1] === '-c' ? [word] : (textsOf(word) ?? []))),
      ...fed,
    ]
      .flatMap((text) => text.split(/[;\n]/))
      .flatMap((text) => /^\s*(?:spawn|system|exec)\s+(.+)$/.exec(text)?.[1] ?? [])
      .map((text) => line(text)),
};
