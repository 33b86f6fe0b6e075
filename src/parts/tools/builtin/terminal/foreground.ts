import { parseLineParts } from '../command-line/shell-line.ts';

/** Commands that run until they are stopped, by how they begin. Adding one is a row. */
const ENDLESS: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bun)(?: run)? (?:dev|serve|start|watch|preview)(?= |$)/,
  /^vite(?! (?:build|optimize)\b)(?= |$)/,
  /^(?:next|nuxt|nuxi|astro|remix|wrangler|svelte-kit|vercel|netlify) dev(?= |$)/,
  /^(?:next|expo) start(?= |$)/,
  /^(?:ng|vue-cli-service|webpack|jekyll|mkdocs|hugo|quarto) (?:serve|server|preview)(?= |$)/,
  /^gatsby develop(?= |$)/,
  /^(?:webpack-dev-server|http-server|live-server|json-server|serve|nodemon|ts-node-dev|browser-sync)(?= |$)/,
  /^python[\d.]* -m http\.server(?= |$)/,
  /^(?:python[\d.]* )?(?:\.\/)?manage\.py runserver(?= |$)/,
  /^(?:python[\d.]* -m )?(?:flask run|uvicorn|gunicorn|hypercorn|streamlit run|jupyter (?:lab|notebook))(?= |$)/,
  /^php (?:-S|artisan serve)(?= |$)/,
  /^(?:bin\/)?rails (?:s|server)(?= |$)/,
  /^docker(?:-| )compose up(?!.* (?:-d|--detach)(?: |$))(?= |$)/,
  /^kubectl port-forward(?= |$)/,
  /^(?:tail|journalctl|(?:docker|kubectl)(?: compose)? logs) (?:.* )?(?:-[a-zA-Z]*[fF]|--follow)(?= |=|$)/,
  /^top (?=.*-\w*b)(?!.*-\w*n)/,
  /^watch (?!.*(?:-g|--chgexit)(?: |$))/,
  /^(?:tsc|jest|vitest|node|deno|bun|tailwindcss|sass|rollup|esbuild|webpack) (?:.* )?--watch(?= |$)/,
  /^tsc (?:.* )?-w(?= |$)/,
  /^vitest watch(?= |$)/,
  /^cargo watch(?= |$)/,
];

/** Words that only find the program. */
const RUNNERS = new Set(['npx', 'bunx', 'pnpx', 'sudo', 'exec', 'nohup', 'uv', 'poetry', 'pipenv']);
/** Ways to say that it ends after all. */
const ENDS = /(?:^| )(?:--help|-h|--version|--watch=false|--no-watch|--once)(?= |$)/;
const READERS_THAT_END = /^(?:head|grep .*-m ?\d|sed .*q)/;

/** The command of a line that would never come back by itself, in its own words. */
export const findEndlessCommand = (line: string): string | undefined =>
  findCommand(line, (words) => ENDLESS.some((pattern) => pattern.test(words)));

/** The first command of a line, not sent to the background, of which something is so; `words` are without what only runs it. */
export function findCommand(line: string, isSo: (words: string) => boolean): string | undefined {
  return parseLineParts(line)
    .filter(({ background, pipeline }) => !background && !pipeline.slice(1).some(({ words }) => READERS_THAT_END.test(words.join(' '))))
    .flatMap(({ pipeline: [first] }) => (first === undefined ? [] : [first]))
    .find(({ words }) => {
      const said = withoutRunner(words).join(' ').slice(0, LONGEST);
      return !ENDS.test(said) && isSo(said);
    })
    ?.source.slice(0, LONGEST);
}

/** How much of a command is looked at: what decides stands at its beginning. */
const LONGEST = 300;

function withoutRunner(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words;
  if (!RUNNERS.has(first)) return words;
  const rest = words.slice(second === 'run' ? 2 : 1);
  // Options of the runner, and variables it sets.
  const program = rest.findIndex((word) => !/^-|^\w+=/.test(word));
  return program < 0 ? rest : rest.slice(program);
}

/** Programs that cut something loose from the shell that waits for it. */
const LOOSENERS = new Set(['nohup', 'disown', 'setsid']);
const WAITS = /^(?:wait|tail (?:.* )?--pid|fg)(?= |=|$)/;
const SETSID_WAITS = /^setsid (?:.* )?(?:-\w*w|--wait)(?= |$)/;

/** What a line would leave running behind it, in its own words: cut loose or sent to the background, with nothing after it that waits. */
export function findDetachedCommand(line: string): string | undefined {
  const parts = parseLineParts(line).map(({ pipeline, background }) => ({
    commands: pipeline.map(({ words }) => words.join(' ').slice(0, LONGEST)),
    shown: pipeline.map(({ source }) => source.slice(0, LONGEST) || '…').join(' | '),
    background,
  }));
  const lastWait = parts.findLastIndex(({ commands }) => commands.some((words) => WAITS.test(words)));
  const loose = parts.find(
    ({ commands, background }, index) =>
      index > lastWait && ((background && index === parts.length - 1) || commands.some((words) => isLoosened(words))),
  );
  return loose === undefined ? undefined : `${loose.shown}${loose.background ? ' &' : ''}`;
}

const isLoosened = (words: string): boolean =>
  LOOSENERS.has(words.split(' ', 1)[0] ?? '') && !SETSID_WAITS.test(words) && !ENDS.test(words);
