import { toWordSet } from '../../../base/word-tables.ts';
import type { CommandLocation } from '../../../contracts/safety.ts';
import { createListeningJudge } from '../command/judge.ts';
import { RULES } from '../command/rules/all.ts';
import { gitVerb } from '../command/rules/git.ts';
import { isInlineCode } from '../command/rules/project-code.ts';
import { startsAnother } from '../command/rules/plain.ts';
import { isReading, loadsCode } from '../command/rules/reading.ts';
import type { Call, CommandRule } from '../command/call/call.ts';

/** What a command does to files, as far as its words tell. In doubt it writes. */
export type Mutation = 'reads' | 'writes' | 'destroys';

/** A command as it bears on files: the worst it does, and every program it would call. */
export interface CommandEffect {
  readonly mutation: Mutation;
  readonly calls: readonly Call[];
}

/** Programs whose trade it is to take away or to put something in another's place. */
const DESTROYERS = toWordSet(`
  rm rmdir unlink mv cp install ln dd truncate shred tee rsync unzip tar cpio patch rename split csplit mkfs wipe srm trash uniq xxd sort sed gsed
  awk gawk mawk find fd fdfind`);
const GIT_DESTROYS =
  /^(?:reset|clean|checkout|restore|switch|stash|rm|mv|rebase|merge|pull|cherry-pick|revert|apply|am|filter-branch|filter-repo|bisect|sparse-checkout|submodule|worktree|diff|log|show)$/;
/** Verbs of git that change no file of the project. */
const GIT_KEEPS = /^(?:branch|remote|add|fetch|push|tag|config)$/;

/** Classes of danger by which files go or others stand in their place. */
const LOSSES = toWordSet(`
  database_loss delete_outside disk_wipe disk_write git_history git_loss git_runs_program interpreter_code move_outside overwrite_outside own_rules
  own_work persistence recursive_delete rewrite_all secret_write system_delete system_write unreadable unseen_command`);
/** Classes of danger that leave files alone. What is neither here nor there may write. */
const NO_CHANGES = toWordSet('data_sent endless_loop fork_bomb guard_off kill_all power privilege secret_read forge published');

const RANK: readonly Mutation[] = ['reads', 'writes', 'destroys'];
const worst = (found: readonly Mutation[]): Mutation => RANK[Math.max(0, ...found.map((each) => RANK.indexOf(each)))] ?? 'writes';

/**
 * What a command would do, read as the judge of commands reads it: the same programs are looked at, behind whatever wrapper, shell
 * or substitution they stand. What the judge calls a loss or a write is never reading here: as long as nothing else says that the
 * command writes, every call is put to the judge's own rules.
 */
export function analyzeCommandEffect(command: string, place: Pick<CommandLocation, 'cwd' | 'home'>): CommandEffect {
  const calls: Call[] = [];
  let mutation: Mutation = 'reads';
  const hear = (call: Call): void => {
    calls.push(call);
    mutation = worst([mutation, ofCall(call)]);
    if (mutation === 'reads') mutation = worst(WRITING_RULES.flatMap((rule) => (isMet(rule, call) ? [ofClass(rule.key)] : [])));
  };
  const verdict = createListeningJudge([], true, hear)(command, place);
  const seen = verdict.type === 'fine' ? [] : verdict.key.split('+').map(ofClass);
  return { mutation: worst([mutation, ...seen]), calls };
}

const isMet = (rule: CommandRule, call: Call): boolean => rule.matches(call, call.place);
const ofClass = (name = ''): Mutation => (LOSSES.has(name) ? 'destroys' : NO_CHANGES.has(name) ? 'reads' : 'writes');
const WRITING_RULES: readonly CommandRule[] = RULES.filter(({ key }) => key === undefined || !NO_CHANGES.has(key));

function ofCall(call: Call): Mutation {
  if (call.replaces.some(isFile)) return 'destroys';
  return worst([ofProgram(call), call.writes.some(isFile) ? 'writes' : 'reads']);
}
const isFile = (target: string): boolean => !/^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(target);

/** The same tables as the judge goes by tell what only reads. */
function ofProgram(call: Call): Mutation {
  const { name, args } = call;
  if (loadsCode(call) || isInlineCode(call)) return 'destroys';
  if (startsAnother(call) || isReading(call)) return 'reads';
  if (name === 'git') return GIT_DESTROYS.test(gitVerb(args)[0]) ? 'destroys' : GIT_KEEPS.test(gitVerb(args)[0]) ? 'reads' : 'writes';
  return DESTROYERS.has(name) ? 'destroys' : 'writes';
}
