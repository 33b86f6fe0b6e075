import type { NestedAction } from '../call/handed.ts';
import { HIDING, type WholeProgramRow } from './hiding.ts';

/** What only shows in the whole of it: every pattern of a row holds somewhere. */
const FORKS =
  /\bloop\s*(?:\{|do)\s*\bfork\b|\bfork\b(?:\(\))?\s*while\b|\b(?:while|until)\b[^;\n]{0,80}\b(?:pcntl_)?fork\b|\bfork\s*\(\s*\)\s+for\b|\b(?:while|for|loop)\b[^]{0,80}(?<!\b(?!os\.|Process\.|Kernel\.|posix\.)\w+\.)\bfork\s*(?:\(|;|$)/;
const CONNECTS = /socket|TCPSocket|fsockopen|\bnet\b.{0,4}\.(?:Socket|connect|createConnection)|\/inet\/tcp/i;
const WHOLES: readonly WholeProgramRow[] = [
  [
    [/ctypes|\bffi\b|Fiddle|\bsyscall\s*\(/, /\breboot\s*\(\s*(?:0x)?[\da-f]{6}/i],
    'power',
    'its code would stop the machine',
    { floor: true },
  ],
  [
    [
      /\bfor\s*\(\s*;;|\bwhile\s*\(?\s*(?:1|true|True)\b/,
      /\b(?:spawn|fork|exec\w*|Popen)\w*\s*\(\s*\[?\s*(?:process\.(?:execPath|argv)|__file__|__filename|sys\.(?:executable|argv))/,
    ],
    'fork_bomb',
    'it starts processes without end',
    { floor: true, unless: /\b(?:break|wait|await|sleep|setTimeout|return)\b/ },
  ],
  ...HIDING,
  [[CONNECTS, /\/bin\/(?:ba|da|z)?sh|pty\.spawn|cmd\.exe|dup2/], 'reverse_shell', 'it ties a shell to a connection'],
  [
    [
      CONNECTS,
      /subprocess|\bexec\w*\s*\(|\bspawn\w*\s*\(|\bsystem\s*\(|popen/,
      /\brecv\b|fileno\s*\(|\.pipe\s*\(|['"]data['"]|\bgets\b|fgets|fread|readline|<&\s*\d/,
    ],
    'reverse_shell',
    'it ties a shell to a connection',
  ],
  [
    [
      /os\.environ\b(?!\.get|\[)|process\.env\b(?!\.\w|\[)|\bENV\.to|\$ENV\b(?!\{)|getenv\(\)/,
      /requests\.|urlopen|http\.|fetch\s*\(|Net::HTTP|LWP|socket|sendall|curl/,
    ],
    'secrets_sent',
    'it sends the environment away',
  ],
  [
    [
      /\beval\b|\bFunction\s*\(|\bexec\s*\(|instance_eval|runIn\w+Context|loadstring|(?<![.\w])load\s*\(/,
      /\bfetch\b|https?:|urlopen|requests\.|atob|b64decode|fromhex|Net::HTTP|LWP|decode_base64|unpack|\bpack\b|marshal|Buffer\.from|base64/,
    ],
    'hidden_code',
    'it runs code that is packed or fetched first',
    { faint: true },
  ],
  [[/usercustomize|sitecustomize|getusersitepackages|LaunchAgents/], 'persistence', 'its code writes to what is run later'],
  [
    [/\.pth\b|crontab|authorized_keys|\.bashrc|\.profile|autostart/],
    'persistence',
    'its code writes to what is run later',
    { faint: true },
  ],
  [
    [
      /\bHOME\b|home\(\)|homedir|expanduser|~\/|Dir\.home/,
      /rmtree|unlink|\.remove\b|rm_rf|rmSync|\bdelete\b|truncate|rmdir|\brm\b|rename|writeFile|write_text|\bchmod|\bchown|symlink|copytree|shutil\.(?:copy|move)|['"][wa]b?\+?['"]/,
    ],
    'code_outside',
    'its code changes files in the home folder',
    { faint: true },
  ],
  [[/\.to_sql\s*\(/, /if_exists\s*=\s*['"]replace/], 'database_loss', 'its code puts another table in the place of one'],
  [
    [/ActiveRecord|active_record|Sequel\b|Mongoid/, /\.(?:delete_all|destroy_all|update_all|truncate)\b/],
    'database_loss',
    'its code deletes or rewrites all records of a kind',
  ],
  [
    [
      /sqlite3|psycopg|pymysql|mysql|mongo|redis|DBI|PDO|pg\b/i,
      /\bdrop\s+(?:table|database)|\bdelete\s+from\s+\w+\s*['"`;)]|\btruncate\s|dropDatabase|flushall|deleteMany\s*\(\s*(?:\{\s*\})?\s*\)/i,
    ],
    'database_loss',
    'its code deletes data from a database',
    // What is only in memory ends with the program.
    { unless: /^(?![^]*connect\w*\(\s*['"](?!:memory:))[^]*connect\w*\(\s*['"]:memory:/ },
  ],
  [
    [/\bwhile\s*\(?\s*(?:True|true|1)\b|for\s*\(\s*;;|\bloop\s*(?:do|\{)/, /append|push|\+=|concat|<<|write/],
    'resources',
    'its code grows without end',
    // A loop that is left, or that waits, does not.
    { unless: /\b(?:break|return|raise|throw|yield|exit|sleep|await|input|readline|read|recv|accept|wait|get)\b/ },
  ],
  [
    [/\*\s*(?:10\s*\*\*\s*(?:9|1\d)|1e(?:9|1\d)|1\s*<<\s*3\d)|'\s*x\s*1e\d|\.repeat\(\s*(?:1e9|2\s*\*\*\s*3)/],
    'resources',
    'its code takes very much memory',
  ],
  [
    [
      /environ|process\.env|\bENV\[|getenv|\$ENV\{/,
      /PASS(?:WORD|WD)|SECRET|TOKEN|API_?KEY|CREDENTIAL|_KEY\b/,
      /print|console\.log|puts|echo|post|urlopen|fetch|write/,
    ],
    'secret_read',
    'its code shows a secret variable',
    // Shown to whoever asks for it is what it is there for.
    { faint: true, unless: /authorization|bearer|headers|x-api-key|api_?key\s*[=:]/i },
  ],
  [
    [
      /\b(?:print|pprint|puts|echo|say|console\.\w+|write|dumps|stringify)\b[^;\n]{0,40}(?:environ|process\.env|\bENV\[|getenv|\$ENV\{)[^;\n]{0,20}(?:PASS(?:WORD|WD)|SECRET|TOKEN|API_?KEY|CREDENTIAL|_KEY\b)/,
    ],
    'secret_read',
    'its code shows a secret variable',
  ],
  [
    [
      /process_iter|psutil\.pids|(?:listdir|scandir|readdir(?:Sync)?|glob|opendir|Dir\.\w+)\s*\(?\s*['"]\/proc\b/,
      /\bkill\b|\.terminate\s*\(|\.send_signal\s*\(/,
    ],
    'kill_unknown',
    'its code ends processes it looks for by their names',
  ],
  [[/ppid|os\.killpg/, /kill/], 'kill_system', 'its code ends the agent or a group of processes'],
  [[/pynput|keyboard\.(?:on_press|record)|ImageGrab|pyautogui\.screenshot|mss\b/], 'spying', 'its code watches the keyboard or the screen'],
];
/** Whole lines that only tell something. */
const REMARKS = /^[ \t]*(?:\/\/|#(?!!)|\*|\/\*)[^\n]*$/gm;
/** Dangers that no single call shows. */
export const findWholeDangers = (text: string): NestedAction[] => {
  const code = text.includes('\n') ? text.replaceAll(REMARKS, '') : text;
  return [
    ...(FORKS.test(code.slice(0, 20_000))
      ? [{ type: 'danger', key: 'fork_bomb', reason: 'it starts processes without end', floor: true } satisfies NestedAction]
      : []),
    ...WHOLES.flatMap(([patterns, key, reason, { unless, faint, floor } = {}]): NestedAction[] =>
      patterns.every((pattern) => pattern.test(code)) && unless?.test(code) !== true
        ? [{ type: 'danger', key, reason, ...(faint === true && { faint }), ...(floor === true && { floor }) }]
        : [],
    ),
  ];
};
