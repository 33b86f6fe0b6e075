const NO_NAME = '(?:Name or service not known|Temporary failure in name resolution|nodename nor servname provided, or not known)';
const NO_WAY =
  "(?:Couldn't connect to server|Could not connect to server|Connection refused|Connection timed out|No route to host|Network is unreachable)";

/**
 * Lines that programs of this machine write when they reached nobody. Whole lines with no room for another's words: a name or
 * an address, which the command itself named, is all that differs. Adding one is a row.
 */
const OWN_WORDS: readonly RegExp[] = [
  new RegExp(
    `^curl: \\(\\d+\\) (?:Could not resolve (?:host|proxy): \\S+|Failed to connect to \\S+ port \\d+(?: after \\d+ ms)?: ${NO_WAY})$`,
  ),
  /^curl: \(28\) (?:Connection|Resolving|Operation) timed out after \d+ milliseconds$/,
  /^\s*% Total\s+% Received\s+% Xferd\s+Average Speed\s+Time\s+Time\s+Time\s+Current$/,
  /^\s*Dload\s+Upload\s+Total\s+Spent\s+Left\s+Speed$/,
  /^[\s\d:.kMG-]*$/,
  /^--\d{4}-\d\d-\d\d \d\d:\d\d:\d\d--\s+\S+$/,
  new RegExp(`^Resolving \\S+(?: \\(\\S+\\))?\\.\\.\\. failed: ${NO_NAME}\\.$`),
  new RegExp(`^Connecting to \\S+(?: \\(\\S+\\))?(?:\\|\\S+\\|)?(?::\\d+)?\\.\\.\\. failed: ${NO_WAY}\\.$`),
  /^wget: unable to resolve host address \S+$/,
  /^Cloning into '[^' ]*'\.\.\.$/,
  new RegExp(
    `^fatal: unable to access '\\S+': (?:Could not resolve host: \\S+|Failed to connect to \\S+ port \\d+(?: after \\d+ ms)?: ${NO_WAY})$`,
  ),
  /^fatal: not a git repository \(or any of the parent directories\): \.git$/,
  new RegExp(`^ssh: Could not resolve hostname \\S+: ${NO_NAME}$`),
  new RegExp(`^ssh: connect to host \\S+ port \\d+: ${NO_WAY}$`),
  /^(?:fatal: Could not read from remote repository\.|Please make sure you have the correct access rights|and the repository exists\.)$/,
  /^Already up to date\.$/,
  // Of the proxy around commands, and of a daemon that is not there.
  /^npm error (?:code E\w+|502 Bad Gateway - GET \S+|A complete log of this run can be found in: \S+)$/,
  /^ +Updating crates\.io index$/,
  /^(?:warning: spurious network error \(\d tr(?:y|ies) remaining\): |  )\[\d+\] [\w' ]+ \((?:CONNECT tunnel failed, response 50\d|Could not resolve \w+: \S+)\)$/,
  /^(?:error: download of \S+ failed|Caused by:| {2}failed to download from `\S+`)$/,
  /^(?:docker: )?Cannot connect to the Docker daemon at \S+\. Is the docker daemon running\?$/,
  /^(?:Run 'docker(?: \w+)? --help' for more information|the input device is not a TTY|Usage: {2}docker \[OPTIONS\] COMMAND \[ARG\.\.\.\])$/,
  /^unknown (?:shorthand )?flag: \S+(?: in \S+)?$/,
  /^(?:\S*sh: )?(?:line \d+: )?[\w.+-]+: (?:command )?not found$/,
];

/** Whether what a command put out holds no word from outside: nothing at all, or that nobody was reached. */
export const isUnreached = (output: string): boolean =>
  output
    .split(/[\r\n]+/)
    .map((line) => line.trimEnd().replace(/^[\s\d:.kMG-]*(?=curl: )/, ''))
    .every((line) => line === '' || OWN_WORDS.some((row) => row.test(line)));
