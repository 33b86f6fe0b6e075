import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { randomHex } from '../../../base/ids.ts';
import { quoteShellWord } from '../../../base/shell.ts';
import { YC_BENCH_INSTALL } from '../../../commands/python-peers.ts';
import type { Environment, EnvironmentTask, Reward, RewardContext, ScoredAttempt } from '../../../contracts/environment.ts';
import { readCompany } from './yc-bench-database.ts';
import { scoreBySeed, scoreCompany, type CompanyEnd } from './yc-bench-score.ts';

interface CompanyTask extends EnvironmentTask {
  readonly preset: string;
  readonly seed: number;
  readonly years: number;
}
const DATABASE = 'yc-bench.db';
/** A hundred times what three years of a large company take. */
const MAX_DATABASE_BYTES = 200_000_000;

/** A company to lead for simulated years, by the commands of the package yc-bench. */
export const ycBench: Environment<CompanyTask> = {
  name: 'yc-bench',
  description: 'YC-Bench: leads a simulated company by its command line; scored by survival and money (needs the Python package yc-bench)',
  defaults: {
    enabled_toolsets: ['terminal'],
    max_agent_turns: 200,
    agent_temperature: 0,
    terminal_timeout: 60,
    max_num_workers: 1,
    system_prompt: 'You lead a small company in a simulation. You act by running yc-bench commands in the terminal, and by nothing else.',
  },
  fields: {
    presets: { kind: 'list', default: ['fast_test', 'medium', 'hard'], describe: 'Presets of yc-bench.' },
    seeds: { kind: 'list', default: ['1', '2', '3'], describe: 'Seeds: each preset is run with each.' },
    program: { kind: 'string', default: 'yc-bench', describe: 'The program yc-bench: a path, or a name in PATH.' },
    run_timeout: { kind: 'integer', default: 3600, min: 1, describe: 'Most seconds of a run.' },
    horizon_years: { kind: 'integer', default: null, min: 1, describe: 'Simulated years. Not set: 3 for the preset `default`, else 1.' },
    db_dir: {
      kind: 'string',
      default: null,
      isUncounted: true,
      describe: 'A folder to keep the database of each run in. Not set: it goes with the run.',
    },
    company_name: { kind: 'string', default: 'BenchCo', describe: 'The name of the company.' },
    start_date: { kind: 'string', default: '01/01/2025', describe: 'The first simulated day, as MM/DD/YYYY.' },
  },
  load: async ({ settings, own, folder }) => {
    const { program, readable } = findProgram(String(own['program']), settings.terminal_backend);
    const beginnings = new Map<string, number>();
    return {
      evaluation: listCompanies(readWords(own['presets']), readWords(own['seeds']), own['horizon_years']),
      format: describeCompany,
      place: () => ({
        agentSeconds: Number(own['run_timeout']),
        ...(readable.length > 0 && { terminal: { 'terminal.sandbox_read_paths': readable } }),
      }),
      prepare: async (task, context) => {
        await foundCompany(task, context, { program, name: String(own['company_name']), start: String(own['start_date']) });
        beginnings.set(task.id, (await readDatabase(context, folder)).fundsCents);
      },
      reward: async (task, _result, context) => {
        const kept = typeof own['db_dir'] === 'string' ? resolve(own['db_dir']) : undefined;
        const found = await readDatabase(
          context,
          folder,
          kept && join(kept, `yc_bench_${task.preset}_seed${task.seed}_${randomHex(8)}.db`),
        );
        return judgeCompany(found, beginnings.get(task.id));
      },
      summarize: summarizeCompanies,
    };
  },
};

const readWords = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const listCompanies = (presets: readonly string[], seeds: readonly string[], years: unknown): readonly CompanyTask[] =>
  presets.flatMap((preset) =>
    seeds.map((seed) => {
      if (!/^\d+$/.test(seed)) throw new UsageError(`env.seeds must be whole numbers, but one is ${JSON.stringify(seed)}.`);
      const usual = preset === 'default' ? 3 : 1;
      return { id: `${preset}-${seed}`, category: preset, preset, seed: Number(seed), years: typeof years === 'number' ? years : usual };
    }),
  );

interface FoundProgram {
  /** What commands call it. */
  readonly program: string;
  /** Folders that a sandbox has to show for it: its virtual environment, and the Python below. */
  readonly readable: readonly string[];
}

/** On this machine it must be there; what an image or another machine has is seen when it is called. */
function findProgram(named: string, backend: string): FoundProgram {
  if (backend !== 'local' && backend !== 'sandbox' && backend !== 'unconfined') return { program: named, readable: [] };
  const places = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = named.includes('/') ? [isAbsolute(named) ? named : resolve(named)] : places.map((folder) => join(folder, named));
  const found = candidates.find((path) => existsSync(path));
  if (found === undefined) throw new UsageError(`there is no program ${named}. To install it: ${YC_BENCH_INSTALL}`);
  // What pipx puts into PATH is a link into its virtual environment.
  const program = realpathSync(found);
  const python = readPython(program);
  return {
    program,
    readable: [...new Set([dirname(dirname(program)), dirname(dirname(realpathSync(python)))])].filter((path) => path !== '/usr'),
  };
}

/** The Python that a program installed by pip runs with: it is named in its first line. */
function readPython(program: string): string {
  const [, python] = /^#!\s*(\/[^\n]+?)\s*$/m.exec(readFileSync(program, 'utf8').slice(0, 400)) ?? [];
  if (python === undefined || !existsSync(python))
    throw new UsageError(`${program} was not installed by pip, or its Python is gone. To install it: ${YC_BENCH_INSTALL}`);
  return python;
}

/** The tables first: `sim init` makes none. Variables stay in the shell for the commands of the model. */
async function foundCompany(
  { preset, seed, years }: CompanyTask,
  context: RewardContext,
  { program, name, start }: { readonly program: string; readonly name: string; readonly start: string },
): Promise<void> {
  const url = `sqlite:///${join(await context.workingDirectory(), DATABASE)}`;
  const tables = 'from yc_bench.db.session import init_db, build_engine; init_db(build_engine())';
  const words = ['sim', 'init', '--seed', String(seed), '--start-date', start, '--horizon-years', String(years), '--company-name', name];
  const { output, exitCode } = await context.terminal(
    `export DATABASE_URL=${quoteShellWord(url)} YC_BENCH_EXPERIMENT=${quoteShellWord(preset)} PATH=${quoteShellWord(dirname(program))}:"$PATH"
program=$(command -v ${quoteShellWord(program)}) && python=$(sed -n '1s/^#! *//p' "$program") && "$python" -c ${quoteShellWord(tables)} && "$program" ${words.map(quoteShellWord).join(' ')}`,
    120,
  );
  if (exitCode !== 0)
    throw new Error(`yc-bench could not begin (exit code ${exitCode}): ${output.slice(-1_000)}. To install it: ${YC_BENCH_INSTALL}`);
}

const describeCompany = ({ years }: CompanyTask): string =>
  `You lead a company for ${years === 1 ? 'one simulated year' : `${years} simulated years`}. Keep it from going bankrupt until then, and leave it with as much money as you can. Salaries are paid every month; clients pay for tasks that are finished before their deadline and charge for those that are late.

Everything is done by commands, which answer in JSON:
  yc-bench company status            money, prestige, payroll, date
  yc-bench employee list             who works for you, and their skills by domain
  yc-bench market browse [--domain D] [--required-prestige-lte N] [--reward-min-cents N] [--limit N] [--offset N]
  yc-bench task accept --task-id T   takes a task from the market; its deadline begins
  yc-bench task assign --task-id T --employee-id E
  yc-bench task dispatch --task-id T begins the work
  yc-bench task list | task inspect --task-id T | task cancel --task-id T --reason R
  yc-bench sim resume                lets time pass until something happens
  yc-bench finance ledger | report monthly | scratchpad read|write|append|clear

Time passes with sim resume alone. Go on until it reports "horizon_reached": true or "bankrupt": true.`;

/** The database as the place has it. */
async function readDatabase(context: RewardContext, folder: string, keepAs?: string): Promise<Omit<CompanyEnd, 'initialCents'>> {
  const own = mkdtempSync(join(folder, 'database-'));
  const path = join(own, DATABASE);
  try {
    await context.downloadFile(DATABASE, path, MAX_DATABASE_BYTES);
    if (keepAs !== undefined) {
      mkdirSync(dirname(keepAs), { recursive: true });
      copyFileSync(path, keepAs);
    }
    return await readCompany(path, context);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Our score is the reward; that of the Python environments stands beside it. */
function judgeCompany(found: Omit<CompanyEnd, 'initialCents'>, initialCents: number | undefined): Reward {
  if (initialCents === undefined) throw new Error('nobody noted what the company began with.');
  const end = { ...found, initialCents };
  const [ours, seed] = [scoreCompany(end), scoreBySeed(end)];
  return {
    reward: ours.score,
    metrics: {
      survived: Number(ours.survived),
      score_by_seed: seed.score,
      survived_by_seed: Number(seed.survived),
      funds_usd: end.fundsCents / 100,
    },
    note: `${end.simTime.slice(0, 10)} of ${end.horizonEnd.slice(0, 10)}, ${end.endings.includes('bankruptcy') ? 'bankrupt' : 'in business'}`,
  };
}

/** Figures by preset, under the names of the Python environments. */
function summarizeCompanies(attempts: readonly ScoredAttempt[]): Readonly<Record<string, number>> {
  const mean = (rows: readonly ScoredAttempt[], read: (row: ScoredAttempt) => number): number =>
    rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + read(row), 0) / rows.length;
  const figures = (rows: readonly ScoredAttempt[], ending: string): readonly (readonly [string, number])[] => [
    [`survival_rate${ending}`, mean(rows, ({ metrics }) => metrics['survived'] ?? 0)],
    [`avg_score${ending}`, mean(rows, ({ reward }) => reward)],
    [`avg_score_by_seed${ending}`, mean(rows, ({ metrics }) => metrics['score_by_seed'] ?? 0)],
  ];
  const presets = Map.groupBy(attempts, ({ category }) => category ?? '');
  return Object.fromEntries([...figures(attempts, ''), ...[...presets].flatMap(([preset, rows]) => figures(rows, `_${preset}`))]);
}
