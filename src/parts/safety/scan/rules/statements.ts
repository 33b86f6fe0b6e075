import type { TextKind } from '../../../../contracts/scan.ts';

/** What a single line of shell or code gives away. */
export interface Statement {
  readonly threat: string;
  readonly severe: boolean;
  readonly kinds?: readonly TextKind[];
  readonly test: (line: string) => boolean;
}

const NETWORK =
  /\b(?:curl|wget|invoke-webrequest|invoke-restmethod|iwr|irm|fetch|nc|ncat|netcat|dig|nslookup|scp|sftp|ftp|http|https|xh|rclone|requests\.\w+|axios|urlopen|sendbeacon|mail|sendmail|mutt|socat|telnet|host)\b/;
const ADDRESS = /https?:\/\//;
const FAR_ADDRESS = /https?:\/\/(?!localhost|127\.|0\.0\.0\.0|\[::1\]|[\w-]+\.local[:/])/;
const FAR_NAME = /\b\d{1,3}(?:\.\d{1,3}){3}\b|[\w-]{1,63}\.[a-z]{2,24}\b/;
/** Places where a service gets the credential that is its own: a header, a login, a client certificate, a key for ssh. */
const OWN_CREDENTIAL =
  /(?:-h|--header|-u|--user|--cert|--key|--cacert|--netrc-file|-i|--identity|-headers)[= ]{1,2}(?:"[^"]{0,300}"|'[^']{0,300}'|[^\s|;&]{1,300})|["']?(?:authorization|x-api-key|x-auth-token|private-token)["']?\s*[:=]\s*(?:"[^"]{0,300}"|'[^']{0,300}'|`[^`]{0,300}`|[^\s,}]{1,300})/g;
const SECRET_VARIABLE =
  /document\.cookie|localstorage|\$\{?\(?(?:env:|\{)?\w{0,40}(?:key|token|secret|passw|credential|apikey)\w{0,20}|%\w{0,30}(?:key|token|secret|password)\w{0,10}%|process\.env\.\w{0,30}(?:key|token|secret|password)|environ\[?.{0,3}\w{0,30}(?:key|token|secret|password)/;
const SECRET_FILE =
  /\.env(?!\.(?:example|sample|template|dist|test))\b(?!\w|\()|\.aws\b|(?:^|[/\s@=])id_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|\.netrc|\.pgpass|\.git-credentials|\.npmrc|\.pypirc|\.kube\/config|\.docker\/config|\.ssh\b(?!\/(?:known_hosts|config\b|[\w.-]+\.pub))|credentials\b(?!\.yml\.enc)|\/etc\/(?:shadow|passwd)|\.gnupg|share\/keyrings|cookies\.sqlite|logins\.json|\.password-store|wallet\.dat/;
const WHOLE_ENVIRONMENT =
  /\$\((?:env|printenv|set)\b|(?:^|[\s;`(&])(?:env|printenv|export -p)\s*\|(?!\s*(?:sort|grep -c|wc|less)\s*$)|<\((?:env|printenv)|stringify\(process\.env\)|(?:json|data|dict)\W{0,3}\(?(?:dict\()?os\.environ\b(?!\[|\.get)/;
const READS =
  /\b(?:cat|less|more|head|tail|bat|strings|xxd|base64|tar|zip|cp|get-content|type|read_text|readfilesync|find|grep|gpg --export-secret|security find-\w+)\b/;

/** To another machine: an address decides, and only without one a bare name. */
const leaves = (line: string): boolean => (ADDRESS.test(line) ? FAR_ADDRESS : FAR_NAME).test(line);

const carries = (line: string): boolean => {
  const rest = line.replace(OWN_CREDENTIAL, ' ');
  return SECRET_VARIABLE.test(rest) || SECRET_FILE.test(rest) || WHOLE_ENVIRONMENT.test(rest);
};

/** Most lines are prose; only one with a sign of code is looked at closely. */
export const maybeCode = (line: string): boolean =>
  /[|$>=~@(]|\/\/|\.env|\.ssh|history|-name|permitroot|useradd|usermod|nopasswd|private key|\bsk-|gh[pousr]_|ssh-|hist(?:file|size)|(?:\s|^)-\w|exec:|socat|_history/.test(
    line,
  );

export const STATEMENTS: readonly Statement[] = [
  {
    threat: 'exfil_curl',
    severe: true,
    test: (line) => NETWORK.test(line) && carries(line) && leaves(line.replace(OWN_CREDENTIAL, ' ')) && sends(line),
  },
  {
    threat: 'read_secrets',
    severe: true,
    test: (line) => READS.test(line) && new Set(line.match(MANY_SECRETS)).size > 1 && /[|>]|xargs|\bcp\b|tar|zip|include|paste/.test(line),
  },
  {
    threat: 'read_secrets',
    severe: true,
    test: (line) =>
      /-name\s/.test(line) && (line.match(/\*\.kdbx|wallet|seed|id_\*|id_rsa|\*\.pem|\*\.key|\.env|credentials/g)?.length ?? 0) > 1,
  },
  {
    threat: 'read_secrets',
    severe: true,
    test: (line) => /\bgrep\b[^\n]{0,120}(?:passw|secret|token|api.?key)[^\n]{0,120}(?:\s~|\$home|\/home|\s\/\s)[^\n]{0,80}>/.test(line),
  },
  {
    threat: 'persistence',
    severe: true,
    test: (line) => /insteadof["'=\s]{1,4}(?:https?:\/\/|git@)(?:github|gitlab|bitbucket)/.test(line),
  },
  {
    threat: 'c2',
    severe: true,
    test: (line) => /\/dev\/(?:tcp|udp)\/[\w.$-]{2,60}\//.test(line) && />&|<>|0<&|<&\d|\bsh -i|\bbash -i/.test(line),
  },
  { threat: 'c2', severe: true, test: (line) => /\b(?:nc|ncat|netcat|socat)\b[^\n]{0,80}(?:\s-e\b|\s-c\b|exec:)/.test(line) },
  { threat: 'c2', severe: true, test: (line) => /\b(?:dig|nslookup|host)\b[^\n|]{0,160}\btxt\b[^\n]{0,160}\|\s*(?:ba|z)?sh\b/.test(line) },
  {
    threat: 'c2',
    severe: true,
    test: (line) =>
      /\b(?:while|until|for|watch|crontab|setinterval)\b[^\n]{0,160}(?:curl|wget)[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z)?sh\b/.test(line),
  },
  { threat: 'c2', severe: true, test: (line) => /\b(?:while|until|for|watch)\b[^\n]{0,160}(?:\$\(|`)\s*(?:curl|wget)/.test(line) },
  {
    threat: 'fake_update',
    severe: true,
    test: (line) =>
      PIPED.test(line) &&
      /\b(?:agents?|assistants?|hermes|you must|before (?:you )?continu\w*|mandatory|(?:each|every) session|stay functional|re-?verif\w*|licen[cs]e)\b/.test(
        line,
      ),
  },
  {
    threat: 'translate_execute',
    severe: true,
    test: (line) => /\b(?:exec|eval)\s*\(?[^\n]{0,60}(?:b64decode|base64|atob|fromhex|rot13|decompress|unhexlify)/.test(line),
  },
  {
    threat: 'translate_execute',
    severe: true,
    test: (line) =>
      /(?:base64\s+(?:-d|--decode|-D)|xxd -r|openssl (?:enc|base64)[^|\n]{0,60}-d|\brev\b|tr\s+['"]?a-z)[^\n]{0,120}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\|\s*(?:ba|z)?sh\b\s*<<<\s*\$\(base64/.test(
        line,
      ),
  },
  { threat: 'translate_execute', severe: true, test: (line) => /-(?:enc|encodedcommand)\s+[a-z0-9+/=]{20,}/.test(line) },
  {
    threat: 'anti_forensic',
    severe: true,
    test: (line) =>
      /\bhistory\s+-[cw]\b|unset\s+hist(?:file|size)|hist(?:file|size)=(?:0|\/dev\/null|$|["'\s])|>\s*~?\/?[\w/$~.]{0,40}\.(?:bash|zsh)_history|rm\s[^\n]{0,60}_history|set \+o history|(?:sed -i|perl -[\w]*i|truncate)[^\n]{0,80}_history|auditctl\s+-e\s*0|shred\s[^\n]{0,60}(?:log|history)|ln -s\w*\s+\/dev\/null[^\n]{0,60}(?:history|log)/.test(
        line,
      ),
  },
  {
    threat: 'ssh_backdoor',
    severe: true,
    test: (line) => /ssh-(?:rsa|ed25519|ecdsa)\s+aaaa/.test(line) && /authorized|>>|append|tee/.test(line),
  },
  {
    threat: 'ssh_backdoor',
    severe: true,
    test: (line) =>
      /\buseradd\b[^\n]{0,120}(?:-o\b|-u\s*0|sudo|wheel)|nopasswd\s*:\s*all|permitrootlogin\s+yes|usermod\s[^\n]{0,40}(?:sudo|wheel|root)\b|ssh\s[^\n]{0,80}-r\s*\d{2,5}:/.test(
        line,
      ),
  },
  {
    threat: 'persistence',
    severe: true,
    test: (line) =>
      /(?:>>|tee\s+-a|>)\s*["']?[^\s|;&]{0,80}(?:\.bashrc|\.zshrc|\.profile|\.bash_profile|cron|rc\.local|ld\.so\.preload)/.test(line) &&
      /curl|wget|nohup|&\s*['"]|base64|\/dev\/tcp|python\d?\s+-c|\/tmp\/\.|\/shm\//.test(line),
  },
  { threat: 'persistence', severe: true, test: (line) => /crontab/.test(line) && /curl|wget|base64|\/dev\/tcp/.test(line) },
  {
    threat: 'persistence',
    severe: true,
    test: (line) => /\b(?:alias|function)\s+(?:sudo|su|ssh|git|gpg)\b\s*(?:=|\()[^\n]{0,400}(?:passw|>>|curl|read\s+-)/.test(line),
  },
  { threat: 'persistence', severe: true, test: (line) => /execstart=[^\n]{0,120}(?:curl|wget|base64|nc )/.test(line) },
  {
    threat: 'agent_config_mod',
    severe: true,
    test: (line) =>
      /"?(?:autoapprove|alwaysallow|auto_approve)"?\s*[:=]\s*(?:\[\s*"\*|true|all)/.test(line) && /mcp|command|url|https?:/.test(line),
  },
  {
    threat: 'hardcoded_secret',
    severe: false,
    kinds: ['memory', 'skill'],
    test: (line) => LITERAL_KEY.test(line) && !/example|xxxx|dummy|placeholder|your[-_]/.test(line),
  },
];

const MANY_SECRETS =
  /\.env\b(?!\.(?:example|sample|template|dist))|\.aws|\.a\?s|id_rsa|id_ed25519|\.netrc|\.npmrc|\.kube|\.docker|\.do\*er|cred\*|credentials|\.ssh\/|\.gnupg|cookies|wallet|kdbx|printenv/g;
const PIPED = /\b(?:curl|wget|fetch)\b[^\n|]{0,300}\|\s*(?:sudo\s+(?:-\w+\s+)?)?(?:ba|z|da)?sh\b/;
const LITERAL_KEY =
  /\b(?:sk-(?:ant-|proj-)?[a-z0-9_-]{24,}|gh[pousr]_[a-z0-9]{30,}|akia[0-9a-z]{16}|xox[abpr]-[a-z0-9-]{20,}|aiza[0-9a-z_-]{30,})\b|-----begin [a-z ]{0,20}private key-----/;

/** Something goes out: a body, a query, an upload, a pipe into the network, or a name that is looked up. */
const sends = (line: string): boolean =>
  /(?:\s-d|--data\S*|-f\s|-f=|--form|-t\s|--upload-file|--post-\w+|--body-\w+|-body|body\s*[:=]|json\s*=|data\s*=|files\s*=|\?[\w=&$%{}.~-]{0,200}[=$]|method|\bpost\b|\bput\b|\|\s*(?:nc|ncat|curl|wget|mail|socat|openssl)|<\s|@|\+\s*os\.environ|\?["']?\s*\+|\$\(|\b(?:dig|nslookup|host|scp|sftp|mail|rclone)\b|\/\$\{?\w)/.test(
    line,
  );
