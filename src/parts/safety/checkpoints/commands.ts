import { simpleCommands, type SimpleCommand } from './words.ts';

/** What a command does to files, as far as its words tell. In doubt it writes. */
export type Mutation = 'reads' | 'writes' | 'destroys';
export type Mutates = (command: string) => Mutation;

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter((word) => word !== ''));

/** Programs that change no file, whatever they are told. */
const READERS = set(`
  [ [[ alias basename bat break cal cat cd cksum clear cmp column comm command compgen continue cut date df diff dig dir dirname dirs dmesg
  do done du echo egrep elif else env esac exit export expr factor false fgrep fi file fold for free getent getopts grep groups head help
  hexdump history host hostname id if in info iostat jobs join jq kill last less let local locale locate ls lsb_release lsblk lscpu lsof man
  md5sum more netstat nl nproc nslookup od paste pgrep pidof ping pkill popd printenv printf ps pstree pushd pwd read readlink realpath
  return rev rg seq set sha1sum sha256sum shift shopt sleep ss stat strings sum tac tail test then time top tr tree true tsort tty type
  ulimit umask unalias uname unexpand uniq unset uptime vmstat w wait wc whereis which while who whoami xxd yes zcat zgrep`);

/** Programs whose trade it is to take away or to put something in another's place. */
const DESTROYERS = set(
  'rm rmdir unlink mv cp install ln dd truncate shred tee rsync unzip tar cpio patch rename split csplit mkfs wipe srm trash',
);

/** Programs before the one that matters. */
const WRAPPERS = set(
  'sudo doas env nice nohup time command exec builtin stdbuf ionice setsid xargs timeout chronic unbuffer then do else if while until !',
);

/** Shells and the like: what they run stands in their arguments. */
const SHELLS = set('sh bash zsh dash ksh fish busybox eval ssh su watch');

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

export const mutates: Mutates = (command) => worst(simpleCommands(command).map(ofSimple));

function ofSimple({ words, overwrites, appends }: SimpleCommand): Mutation {
  if (overwrites.some(isFile)) return 'destroys';
  return worst([ofProgram(words), appends.some(isFile) ? 'writes' : 'reads']);
}
const isFile = (target: string): boolean => !/^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(target);

function ofProgram(words: readonly string[]): Mutation {
  const [first, ...rest] = bare(words);
  if (first === undefined) return 'reads';
  const program = first.slice(first.lastIndexOf('/') + 1);
  if (SHELLS.has(program)) return worst(['writes', mutates(rest.filter((word) => !word.startsWith('-')).join('\n'))]);
  const form = FORMS.find((row) => row.program.has(program) && row.when(rest));
  if (form !== undefined) return form.is;
  return READERS.has(program) ? 'reads' : DESTROYERS.has(program) ? 'destroys' : 'writes';
}

/** Without assignments, wrappers and the options of wrappers before the program. */
function bare(words: readonly string[]): readonly string[] {
  let [start, wrapped] = [0, false];
  for (; start < words.length; start++) {
    const word = words[start] ?? '';
    if (WRAPPERS.has(word)) wrapped = true;
    else if (!/^\w+=/.test(word) && !(wrapped && /^(?:-|\d+[smhd]?$|\{\}$)/.test(word))) break;
  }
  return words.slice(start);
}
