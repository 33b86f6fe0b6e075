import type { ChoiceOption, CommandContext } from '../contracts/command.ts';
import type { Containment, TrustService } from '../contracts/services/trust.ts';

/** What was decided about the code of the folder, where nothing contains it. */
export interface FolderChoice {
  readonly folder: string;
  readonly choice: 'trust' | 'ask' | 'install';
  /** What to type for a sandbox. */
  readonly cure: string;
}

const CHOICES: readonly (ChoiceOption & { readonly value: FolderChoice['choice'] })[] = [
  { value: 'trust', note: 'run its tests, builds and scripts without asking, also when nobody is there' },
  { value: 'ask', note: 'ask each time; what runs when nobody is there does without them' },
  { value: 'install', note: 'ask each time, and show what to install for a sandbox' },
];

/** Asks once about the folder the setup runs in. Nothing where a sandbox contains commands, or where nobody can be asked. */
export async function chooseTrust(
  backend: string,
  trust: TrustService,
  { choose, cwd, isForProgram }: Pick<CommandContext, 'choose' | 'cwd' | 'isForProgram'>,
): Promise<FolderChoice | undefined> {
  if (choose === undefined || isForProgram === true) return undefined;
  const found = await trust.containment(backend);
  if (found.isContained || !(await trust.canAdd(cwd))) return undefined;
  const picked = await choose({ question: askAbout(cwd, found), choices: CHOICES, suggested: 'ask' });
  const choice = CHOICES.find(({ value }) => value === picked)?.value ?? 'ask';
  return { folder: cwd, choice, cure: found.cure };
}

const askAbout = (folder: string, { why }: Extract<Containment, { readonly isContained: false }>): string =>
  `No sandbox contains commands here, because ${why}. May the agent run the code of ${folder}?`;
