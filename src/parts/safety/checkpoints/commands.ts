import type { CommandLocation } from '../../../contracts/safety.ts';
import { createListeningJudge } from '../command/judge.ts';
import { RULES } from '../command/rules/all.ts';
import type { Call, CommandRule } from '../command/call/call.ts';

/** What a command does to files, as far as its words tell. In doubt it writes. */
export type Mutation = 'reads' | 'writes' | 'destroys';

/** A command as it bears on files: the worst it does, and every program it would call. */
export interface CommandEffect {
  readonly mutation: Mutation;
  readonly calls: readonly Call[];
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter((word) => word !== ''));

/** Programs that change no file, whatever they are told. */
const READERS = set(`
  : [ alias basename bat break cal cat cd cksum clear cmp column comm compgen continue cut date df diff dig dir dirname dirs dmesg du
  echo egrep exit export expr factor false fgrep file fold free getent getopts grep groups head help hexdump history host hostname id
  info iostat jobs join jq kill last less let local locale locate ls lsb_release lsblk lscpu lsof man md5sum more netstat nl nproc
  nslookup od paste pgrep pidof ping pkill popd printenv printf ps pstree pushd pwd read readlink realpath return rev rg seq set sha1sum
  sha256sum shift shopt sleep ss stat strings sum tac tail test top tr tree true tsort tty type ulimit umask unalias uname unexpand uniq
  unset uptime vmstat w wait wc whereis which who whoami xxd yes zcat zgrep`);

/** Programs that only call another, which is looked at by itself. */
const CALLERS = set('sudo doas env nice nohup time command exec builtin stdbuf ionice setsid xargs timeout chronic unbuffer');

/** Programs whose trade it is to take away or to put something in another's place. */
const DESTROYERS = set(
  'rm rmdir unlink mv cp install ln dd truncate shred tee rsync unzip tar cpio patch rename split csplit mkfs wipe srm trash',
);

/** Classes of danger by which files go or others stand in their place. */
const LOSSES = set(`
  archive_delete code_delete code_outside code_write database_loss delete_fed delete_old delete_outside disk_touched disk_wipe disk_write format
  git_history git_internals git_loss move_outside other_project overwrite_outside own_rules own_work persistence recursive_delete
  rewrite_all secret_loss secret_write sync_delete system_delete system_write task_loss unreadable volume_delete wipe_file`);
/** Classes of danger that leave files alone. What is neither here nor there may write. */
const NO_CHANGES = set(`
  data_sent endless_loop fork_bomb kill_all kill_by_name kill_system kill_unknown network_service network_settings power privilege
  resources secret_read secret_sent spying umask`);

/** What words after a program make of it, when not what the tables above say. First match wins. */
const FORMS: readonly {
  readonly program: ReadonlySet<string>;
  readonly when: (words: readonly string[]) => boolean;
  readonly is: Mutation;
}[] = [
  {
    program: set('find fd fdfind'),
    when: (words) => words.some((word) => /^(?:-delete|-exec\w*|-ok\w*|-fprint\w*|-fls|-x|-X|--exec[\w-]*)$/.test(word)),
    is: 'destroys',
  },
  { program: set('find fd fdfind'), when: () => true, is: 'reads' },
  // Their programs can write files and start others.
  { program: set('awk gawk mawk'), when: (words) => words.some((word) => /[>|]|\bsystem\b|\binplace\b|^-f/.test(word)), is: 'destroys' },
  { program: set('awk gawk mawk'), when: () => true, is: 'reads' },
  { program: set('sed gsed perl ruby'), when: (words) => words.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word)), is: 'destroys' },
  // `w FILE` and `e` as commands or as flags of a substitution, and scripts of which nothing is seen.
  {
    program: set('sed gsed'),
    when: (words) => words.some((word) => /(?:^|[\d$;{}/|,#!\s])[gpiImM\d]*[wWe](?:\s|$)|^(?:-f|--file)/.test(word)),
    is: 'destroys',
  },
  { program: set('sed gsed'), when: () => true, is: 'reads' },
  { program: set('uniq xxd'), when: (words) => words.filter((word) => !word.startsWith('-')).length > 1, is: 'destroys' },
  {
    program: set('tree less info file time date history'),
    when: (words) => words.some((word) => /^-[a-zA-Z]*[oCwas]/.test(word)),
    is: 'writes',
  },
  { program: set('git diff rg'), when: (words) => words.some((word) => /^--(?:output|pre)(?:=|$)/.test(word)), is: 'destroys' },
  { program: set('sort'), when: (words) => words.some((word) => /^(?:-[a-zA-Z]*o|--output)/.test(word)), is: 'destroys' },
  { program: set('sort'), when: () => true, is: 'reads' },
  {
    program: set('git'),
    when: (words) =>
      /^(?:reset|clean|checkout|restore|switch|stash|rm|mv|rebase|merge|pull|cherry-pick|revert|apply|am|filter-branch|filter-repo|bisect|sparse-checkout|submodule|worktree)$/.test(
        verb(words),
      ),
    is: 'destroys',
  },
  {
    program: set('git'),
    when: (words) =>
      /^(?:|status|log|diff|show|blame|grep|rev-parse|rev-list|ls-files|ls-tree|ls-remote|cat-file|describe|shortlog|reflog|whatchanged|count-objects|version|help|for-each-ref|name-rev|merge-base|check-ignore|branch|remote|add|fetch|push|tag|config)$/.test(
        verb(words),
      ),
    is: 'reads',
  },
  {
    program: set('node python python3 npm pnpm yarn deno bun go cargo rustc java ruby perl gcc make'),
    when: (words) => words.length === 1 && /^(?:-v|-V|--version|version)$/.test(words[0] ?? ''),
    is: 'reads',
  },
];
/** The first word that is no option, nor the value of one that takes a value. */
function verb(words: readonly string[]): string {
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '-C' || word === '-c') index += 1;
    else if (!word.startsWith('-')) return word;
  }
  return '';
}

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

const isMet = (rule: CommandRule, call: Call): boolean => rule.matches(call.name, call.args, call, call.place);
const ofClass = (name = ''): Mutation => (LOSSES.has(name) ? 'destroys' : NO_CHANGES.has(name) ? 'reads' : 'writes');
const WRITING_RULES: readonly CommandRule[] = RULES.filter(({ key }) => key === undefined || !NO_CHANGES.has(key));

function ofCall({ name, args, writes, replaces }: Call): Mutation {
  if (replaces.some(isFile)) return 'destroys';
  return worst([ofProgram(name, args), writes.some(isFile) ? 'writes' : 'reads']);
}
const isFile = (target: string): boolean => !/^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(target);

function ofProgram(name: string, args: readonly string[]): Mutation {
  const form = FORMS.find((row) => row.program.has(name) && row.when(args));
  if (form !== undefined) return form.is;
  if (name === '' || READERS.has(name) || CALLERS.has(name)) return 'reads';
  return DESTROYERS.has(name) ? 'destroys' : 'writes';
}
