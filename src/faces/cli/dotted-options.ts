const TAKES_SETTINGS: ReadonlySet<string | undefined> = new Set(['env', 'batch']);

/**
 * Settings of environments as options of their own, as the Python environments have them: `--env.max_agent_turns 5` and
 * `--openai.model_name=x` become `--set env.max_agent_turns=5` …; everything else stays.
 */
export function expandDottedOptions(argv: readonly string[]): readonly string[] {
  if (!TAKES_SETTINGS.has(argv[0])) return argv;
  return argv.flatMap((word, index, all) => {
    if (index > 0 && isBareDotted(all[index - 1])) return [];
    const [, key, value] = /^--((?:env|openai)\.\w+)(?:=(.*))?$/s.exec(word) ?? [];
    if (key === undefined) return [word];
    return ['--set', `${key}=${value ?? all[index + 1] ?? ''}`];
  });
}

/** One whose value is the next word. */
const isBareDotted = (word: string | undefined): boolean => /^--(?:env|openai)\.\w+$/.test(word ?? '');
