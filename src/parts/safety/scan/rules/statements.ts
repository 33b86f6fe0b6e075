import { lazy } from '../../../../base/lazy.ts';
import type { TextKind } from '../../../../contracts/scan.ts';
import { compileLiterals } from '../match/compile-literals.ts';
import { sendsSecret } from './secret-lines.ts';

/** What a single line of shell or code gives away. */
interface Statement {
  readonly threat: string;
  readonly severe: boolean;
  readonly kinds?: readonly TextKind[];
  /** The line holds one of these; only then it is looked at closely. */
  readonly has: readonly string[];
  readonly test: (line: string) => boolean;
}

const statement = (threat: string, has: string, test: RegExp | ((line: string) => boolean)): Statement => ({
  threat,
  severe: true,
  has: has.split(','),
  test: typeof test === 'function' ? test : (line) => test.test(line),
});

const SHELL = String.raw`\|\s*(?:sudo\s+(?:-\w+\s+)?)?(?:ba|z|da)?sh\b`;
const PIPED = new RegExp(String.raw`\b(?:curl|wget|fetch)\b[^\n|]{0,300}${SHELL}|\bsh -c "?\$\(\s*(?:curl|wget)`);
const PIPES = '|sh,| sh,|bash,| bash,| sudo,| zsh,| dash,$(curl,$(wget';
const NETWORK =
  'curl,wget,invoke-,iwr ,irm ,fetch(,nc ,ncat,netcat,dig ,nslookup,scp ,sftp,http ,xh ,rclone,requests.,axios,urlopen,beacon,mail ,mutt,socat,telnet';
const ORDER_TO_AGENT =
  /\b(?:agents?|assistants?|hermes|you must|before (?:you )?continu\w*|mandatory|(?:each|every) session|stay functional|licen[cs]e)\b/;
const SECRET_PLACES =
  /\.env\b(?!\.(?:example|sample|template|dist))|\.aws|id_rsa|id_ed25519|\.netrc|\.npmrc|\.kube|\.docker\/|credentials|\.ssh\/|\.gnupg|cookies|wallet|kdbx|printenv|\.pgpass|\.config\/gh/g;
const READS = /\b(?:cat|less|more|head|tail|bat|strings|xxd|base64|tar|zip|cp|get-content|type|find|grep|security find-\w+)\b/;
const LITERAL_KEY =
  /\b(?:sk-(?:ant-|proj-)?[a-z0-9_-]{24,}|gh[pousr]_[a-z0-9]{30,}|akia[0-9a-z]{16}|xox[abpr]-[a-z0-9-]{20,}|aiza[0-9a-z_-]{30,})\b|-----begin [a-z ]{0,20}private key-----/;

/** "Do not tell the user", as it is said in the languages of the rules. */
const TELL_NOT: readonly string[] = [
  String.raw`\b(?:(?:do|must|should) not|never) tell the user`,
  String.raw`\b(?:sage?|informiere|warne) (?:es )?de[mn] (?:be)?nutzer nichts?`,
  String.raw`\bn(?:e |')(?:le |lui )?(?:dis|previens|avertis|informe)(?: rien| pas| jamais)?(?: a)? l'utilisateur`,
  String.raw`\bno (?:se lo |le )?(?:digas|cuentes|avises)(?: nada)? al usuario`,
  String.raw`\bnao (?:conte|diga|avise)(?: nada)? a?o usuario`,
  String.raw`\bnon (?:dire|dirlo|avvisare)(?: mai| nulla| niente)? (?:al)?l'utente`,
  'не (?:говори|сообщай|рассказывай)(?:те)? (?:об этом )?пользователю',
  '(?:不要|别|勿)告[诉訴]用[户戶]',
  'ユーザーには?(?:言わ|伝え|知らせ|話さ)ない(?:で(?:ください|下さい)?|こと)?',
];

const STATEMENTS: readonly Statement[] = [
  // Alone it hides everything; with an object (`about internal ids`) the rules over words decide.
  statement(
    'deception_hide',
    'tell the user,al usuario,ao usuario,o usuario,utilisateur,utente,nutzer,пользовател,用户,用戶,ユーザー',
    new RegExp(String.raw`(?:${TELL_NOT.join('|')})\s*(?:$|[,.!;]|that you\b|what you\b)`),
  ),
  statement('translate_execute', 'translate', /\btranslate\b[^\n]{1,160}\binto\b[^\n]{1,80}\band (?:execute|run|eval)/),
  statement('exfil_curl', NETWORK, sendsSecret),
  statement('exfil_curl', '${ifs},$ifs', /url|get|nc|sh/),
  statement(
    'read_secrets',
    '.env,.aws,id_,.netrc,.npmrc,.kube,credentials,.ssh/,.gnupg,cookies,wallet,kdbx,printenv,.pgpass,.config/gh',
    (line) => {
      return READS.test(line) && new Set(line.match(SECRET_PLACES)).size > 1;
    },
  ),
  statement(
    'read_secrets',
    '-name',
    (line) => (line.match(/\*\.kdbx|wallet|seed|id_\*|id_rsa|\*\.pem|\*\.key|credentials/g)?.length ?? 0) > 1,
  ),
  statement('persistence', 'insteadof', /insteadof["'=\s]{1,4}(?:https?:\/\/|git@)(?:github|gitlab|bitbucket)/),
  statement('c2', '/dev/tcp,/dev/udp', />&|<>|0<&|<&\d|\bsh -i|\bbash -i/),
  statement('c2', 'nc ,ncat ,netcat ,socat ', /\b(?:nc|ncat|netcat|socat)\b[^\n]{0,80}(?:\s-e\b|\s-c\b|exec:)/),
  statement('c2', PIPES, new RegExp(String.raw`\b(?:dig|nslookup)\b[^\n|]{0,160}\btxt\b[^\n]{0,160}${SHELL}`)),
  statement('c2', PIPES, (line) => /\b(?:while|until|for|watch|crontab|setinterval)\b/.test(line) && PIPED.test(line)),
  statement('fake_update', PIPES, (line) => PIPED.test(line) && ORDER_TO_AGENT.test(line)),
  { ...statement('fake_update', PIPES, (line) => PIPED.test(line)), kinds: ['memory'] },
  statement(
    'translate_execute',
    'exec(,eval(,exec ",eval ",eval $',
    /\b(?:exec|eval)\s*[("'$][^\n]{0,60}(?:b64decode|base64|atob|fromhex|rot13|decompress|unhexlify)/,
  ),
  statement(
    'translate_execute',
    PIPES,
    new RegExp(
      String.raw`(?:base64\s+(?:-d|--decode)|xxd -r|openssl (?:enc|base64)[^|\n]{0,60}-d|\brev\b|\btr\s+['"]?a-z)[^\n]{0,120}${SHELL}`,
    ),
  ),
  statement('translate_execute', '-enc', /-(?:enc|encodedcommand)\s+[a-z0-9+/=]{20,}/),
  statement(
    'anti_forensic',
    'auditctl,auditd,shred,.hermes/',
    /auditctl\s+-e\s*0|systemctl\s+stop\s[^\n]{0,40}auditd|\/var\/log[^\n]{0,60}\bshred\b|shred\s[^\n]{0,60}\blogs?\b|rm\s+-\w+\s[^\n]{0,40}\.hermes\/(?:logs|sessions)/,
  ),
  statement('ssh_backdoor', 'ssh-', (line) => /ssh-(?:rsa|ed25519|ecdsa)\s+aaaa/.test(line) && /authorized|>>|append|tee/.test(line)),
  statement('ssh_backdoor', 'authorized_keys', /\b(?:curl|wget)\b[^\n]{0,200}authorized_keys/),
  statement(
    'ssh_backdoor',
    'useradd,nopasswd,permitroot',
    /\buseradd\b[^\n]{0,120}(?:-o\b|-u\s*0)|nopasswd\s*:\s*all[^\n]{0,40}(?:>>|tee)[^\n]{0,20}sudoers|permitrootlogin\s+yes/,
  ),
  statement('ssh_backdoor', 'ssh ', /\bssh\s[^\n]{0,80}-r\s*\d{2,5}:/),
  statement('persistence', 'bashrc,zshrc,.profile,bash_profile,cron,rc.local,ld.so.preload', (line) => {
    if (!/(?:>>|tee\s+-a|>)\s*["']?[^\s|;&]{0,80}(?:\.bashrc|\.zshrc|\.profile|\.bash_profile|cron|rc\.local|ld\.so\.preload)/.test(line))
      return false;
    return /curl|wget|nohup|base64|\/dev\/tcp|python\d?\s+-c|\/tmp\/\.|\/shm\//.test(line);
  }),
  statement('persistence', 'credential.helper', /credential\.helper[^\n]{0,120}(?:curl|wget|\bnc )/),
  statement('persistence', 'crontab,execstart', (line) => PIPED.test(line) || /base64 -|\/dev\/tcp/.test(line)),
  statement(
    'persistence',
    'alias s,alias g,function s,function g',
    /\b(?:alias|function)\s+(?:sudo|su|ssh|git|gpg)\b\s*(?:=|\()[^\n]{0,400}(?:passw|>>|curl|read\s+-)/,
  ),
  statement('agent_config_mod', 'approve,alwaysallow', (line) => {
    return /"?(?:autoapprove|alwaysallow|auto_approve)"?\s*[:=]\s*(?:\[\s*"\*|true|all)/.test(line) && /mcp|command|url|https?:/.test(line);
  }),
  {
    threat: 'hardcoded_secret',
    severe: false,
    kinds: ['memory', 'skill'],
    has: ['sk-', 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'akia', 'xox', 'aiza', '-----begin'],
    test: (line) => LITERAL_KEY.test(line) && !/example|xxxx|dummy|placeholder|your[-_]/.test(line),
  },
];

/** Most lines are prose and hold none of the words. */
const suspect = lazy(() => compileLiterals(STATEMENTS.flatMap(({ has }) => has)));

/** The statements that hold for a line. */
export function* findStatements(line: string, kind: TextKind): Generator<Statement> {
  if (!suspect().test(line)) return;
  for (const found of STATEMENTS)
    if (found.has.some((word) => line.includes(word)) && (found.kinds?.includes(kind) ?? true) && found.test(line)) yield found;
}
