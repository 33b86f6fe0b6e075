/** Where data leaves and where it comes from, in whatever language. */
const SENDS =
  /requests\.(?:post|put|patch)|urlopen\s*\([^)]*data|\.sendall\s*\(|\.send(?:to)?\s*\(|fetch\s*\([^]*method\s*:\s*['"](?:POST|PUT|PATCH)|Net::HTTP\.(?:post|put)|http\.request|HTTPS?Connection|createConnection|\bnet['")]*\.connect|\bhttps?['")]*\.request|ftplib|smtplib|paramiko|storbinary|LWP|IO::Socket|fsockopen|stream_context_create|curl_setopt|axios\.(?:post|put)|httpx\.(?:post|put)|socket\.socket|TCPSocket/;
const READS_FILE =
  /\bopen\s*\(|\bopen\s+(?:my\s+)?\$?\w+\s*,|readFile|File\.(?:read|binread)|file_get_contents|read_bytes|read_text|createReadStream|IO\.read|`cat |slurp/;
const AFAR =
  /https?:\/\/(?!localhost|127\.|0\.0\.0\.0|\[::1\])|['"](?!127\.|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?['"]|['"][\w-]+(?:\.[\w-]+)+['"]\s*,\s*\d+|\b(?:SMTP(?:_SSL)?|FTP(?:_TLS)?|NNTP|Transport|connect|HTTPS?Connection)\s*\(\s*(?:host\s*=\s*)?['"](?!localhost|127\.)/;
const FETCHES =
  /urlretrieve|urlopen|requests\.get|httpx\.get|\bfetch\s*\(|https?\.get\s*\(|Net::HTTP|URI\.open|LWP|file_get_contents\s*\(\s*['"]https?:|curl_exec|axios\.get/;
const RUNS =
  /os\.system|subprocess|(?<![.\w])exec\s*\(|\bexec(?:Sync|File|FileSync|v\w*|l\w*)\s*\(|\bsystem\s*\(|child_process|\beval\b|pickle\.loads?|marshal\.loads|yaml\.(?:unsafe_)?load\s*\(|runpy|importlib|__import__|import\s*\(\s*['"]data:|spawn\w*\s*\(|instance_eval|vm\.run/;

/** Libraries that act on services elsewhere, and what they call losing something there. */
const SERVICES =
  /\b(?:boto3?|botocore|aws-sdk|google\.cloud|@google-cloud|azure|docker|dockerode|kubernetes|github|gitlab|octokit|paramiko|fabric|pymongo|mongoose|mongodb|redis|elasticsearch|stripe|hvac|cassandra|firebase|PrismaClient|sequelize|typeorm|knex|sqlalchemy|ActiveRecord|slack_sdk|cloudflare|digitalocean|hcloud|openstack)\b/i;
const LOSES_THERE =
  /\.(?:delete|drop|remove|terminate|destroy|prune|purge|flush|truncate|stop|exec_command|put_\w*(?:policy|acl)|deregister|revoke|disable)\w*\s*\(|\.del\s*\(/i;

/** Something only the whole of a program shows: every pattern holds somewhere. */
export type WholeProgramRow = readonly [patterns: readonly RegExp[], key: string, reason: string, more?: PatternOptions];
export interface PatternOptions {
  /** Holds nowhere. */
  readonly unless?: RegExp;
  /** Too weak for a program in a file. */
  readonly faint?: true;
  /** Nobody can allow it. */
  readonly floor?: true;
}

/** What code hides or moves. */
export const HIDING: readonly WholeProgramRow[] = [
  [
    [/\bchdir\b\s*(?:;|\(\s*\)|\(?\s*['"](?:~|\/))/, /rmtree|unlink|rmSync|rm_rf|\brm\b|truncate|rmdir/],
    'code_outside',
    'its code deletes in another folder',
  ],
  [
    [/netrc\.netrc|get_credentials\s*\(|get_frozen_credentials|google\.auth\.default/, /print|console\.log|puts|write/],
    'secret_read',
    'its code shows stored credentials',
  ],
  [
    [/SimpleHTTPRequestHandler|HTTPServer|http\.server/, /0\.0\.0\.0|['"]::['"]|Server\s*\(\s*\(\s*(?:''|"")/],
    'network_service',
    'its code shows files to the network',
  ],
  [
    [/keyring\.get_password|browser_cookie|pycookiecheat|secretstorage|win32cred|Keychain|dotenv_values/],
    'secret_read',
    'its code shows a stored password',
  ],
  [
    [/dotenv/, /process\.env\b(?!\.|\[)|os\.environ\b(?!\.get|\[)/, /print|console\.log|puts|write/],
    'secret_read',
    'its code shows secrets it has just loaded',
  ],
  [
    [
      /(?:\b(?:print|pprint|console\.(?:log|dir|table)|puts|pp?|say|echo|print_r|var_dump|dumps|stringify|write|inspect)\b[^;\n]{0,60}(?:os\.environ\b(?!\.get|\.pop|\[)|process\.env\b(?![.\w[])|\bENV\b(?![[{])|%ENV|getenv\(\)|\$_(?:ENV|SERVER)\b(?!\[)))|\bin\s+(?:sorted\()?os\.environ(?:\.items\(\))?|(?:keys|sort keys|each)\s*\(?\s*%ENV|\bENV\.(?:each|map|sort|to_h|inspect)|Object\.(?:entries|keys)\(process\.env\)|Deno\.env\.toObject|Bun\.env\b(?!\.)|Sys\.getenv\(\)|System\.getenv\(\)/,
      /print|console|puts|\bpp?\b|say|echo|dump|write|cat\(/,
    ],
    'secret_read',
    'its code shows the whole environment, secrets among it',
  ],
  [
    [/\b(?:fabric|paramiko|asyncssh|ssh2|node-ssh|Net::SSH)\b/, /\.(?:run|exec\w*|sudo|put|putFile|upload!?)\s*\(/],
    'remote_command',
    'its code runs or puts something on another machine',
  ],
  [[/createServer/, /createReadStream|readFile|sendFile/, /\burl\b|\bpath\b/], 'network_service', 'its code shows files to whoever asks'],
  [
    [
      /(?:environ|putenv|process\.env|\bENV)\b[^;\n=]{0,12}(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PROMPT_COMMAND|PYTHONSTARTUP)\b/,
    ],
    'preload',
    'its code makes other programs load something first',
  ],
  [[SERVICES, LOSES_THERE], 'service_loss', 'its code deletes or stops something on a service'],
  [[SENDS, READS_FILE, AFAR], 'data_sent', 'its code sends a file to another machine'],
  [[FETCHES, RUNS, AFAR], 'remote_code', 'its code fetches something and runs it'],
  [
    [
      /pickle\.loads?|marshal\.loads|shelve\.open|yaml\.unsafe_load|Marshal\.load|unserialize\s*\(/,
      /b64decode|fromhex|urlopen|requests|socket|stdin|recv/,
    ],
    'hidden_code',
    'it unpacks objects that may run something',
  ],
  // A name put together from pieces, which is then called.
  [
    [/(?:\[|\bgetattr\s*\([^)]*)\s*['"][\w]*['"]\s*(?:\+|\.)\s*['"][\w]*['"]\s*[\])](?!\s*=[^=])\s*\(?/],
    'hidden_code',
    'it hides which function it calls',
  ],
  [
    [
      /\$(\w+)\s*=\s*['"]\w*['"]\s*\.\s*['"][^]*\$\1\s*\(|\$\{?\$\w+\}?\s*\(|call_user_func|array_map\s*\(\s*['"](?:system|exec|passthru|unlink)/,
    ],
    'hidden_code',
    'it hides which function it calls',
  ],
  [[/__builtins__|__subclasses__|__globals__/, /\(/], 'hidden_code', 'it reaches functions by a way round'],
  [[/globals\(\)\s*\[|vars\(\)\s*\[|sys\.modules\s*\[/, /\(/], 'hidden_code', 'it reaches functions by a way round', { faint: true }],
  [
    [/\bload(?:string)?\s*\(\s*(?:string\.(?:char|reverse|rep)|table\.concat|\w+\s*\.\.)/],
    'hidden_code',
    'it runs code that is put together first',
  ],
  [
    [
      /\beval\s*(?:\(\s*)?(?:"[^"]*[$@]\w|\$\w+|\w+\s*[+.]|join|reverse|compile|open|require\s*\(\s*['"]fs|String\.fromCharCode|\w+\.(?:read|toString|decode|join|text)\b)/,
    ],
    'hidden_code',
    'it runs code that is only known when it runs',
  ],
  [
    [/\bexec\s*\(\s*(?:open|compile|\w+\.(?:read|decode|join|text)|''\.join|bytes|input|sys\.stdin|str\s*\()/],
    'hidden_code',
    'it runs code that is only known when it runs',
  ],
  [[/\bset(?:e|r|re)?[ug]id\s*\(\s*0|Process::(?:UID|Sys)|posix_setuid\s*\(\s*0/], 'privilege', 'its code takes the rights of root'],
  [
    [/\btruncate\w*\s*\([^)]*(?:10\s*\*\*\s*1[1-9]|1e1[1-9]|1\s*<<\s*[4-9]\d|\d{12,})|\bseek\s*\([^)]*(?:10\s*\*\*\s*1[1-9]|\d{12,})/],
    'resources',
    'its code fills the disk',
  ],
  [
    [
      /while\s*\(?\s*(?:True|true|1)\b|for\s*\(\s*;;|setInterval/,
      /Thread|Process\s*\(|spawn|Worker|multiprocessing/,
      /start\s*\(|spawn|new Worker/,
    ],
    'resources',
    'its code starts threads or processes without end',
  ],
  [
    [
      /createServer|http\.server|HTTPServer|TCPServer|socketserver|\.listen\s*\(|\bsocket\b[^]*\.bind\s*\(/,
      /child_process|subprocess|os\.(?:system|popen)|\beval\b|(?<![.\w])exec\s*\(|\bexec(?:Sync|File)\s*\(|\bpty\b/,
    ],
    'network_service',
    'its code lets others run commands',
  ],
  [
    [/ctypes|\bffi\b|process\.dlopen|DynaLoader|Fiddle|\bsyscall\s*\(/, /CDLL|dlopen|load|import_func|syscall/],
    'interpreter_code',
    'its code calls into the system past every check',
  ],
];
