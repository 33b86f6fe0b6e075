/** A line that carries a secret to another machine: a network command, a secret and a far address, and the secret is not its login. */
export function sendsSecret(line: string): boolean {
  if (!NETWORK.test(line)) return false;
  const rest = line.replace(OWN_CREDENTIAL, ' ');
  return carries(rest) && leaves(rest) && SENDS.test(line);
}

const NETWORK =
  /\b(?:curl|wget|invoke-webrequest|invoke-restmethod|iwr|irm|fetch|nc|ncat|netcat|dig|nslookup|scp|sftp|ftp|http|https|xh|rclone|requests\.\w+|axios|urlopen|sendbeacon|mail|sendmail|mutt|socat|telnet)\b/;
const ADDRESS = /https?:\/\//;
const FAR_ADDRESS = /https?:\/\/(?!localhost|127\.|0\.0\.0\.0|\[::1\]|[\w-]+\.local[:/])/;
const FAR_NAME = /\b\d{1,3}(?:\.\d{1,3}){3}\b|[\w-]{1,63}\.[a-z]{2,24}\b/;

/** Places where a service gets the credential that is its own: a header, a login, a client certificate, a key for ssh. */
const OWN_CREDENTIAL =
  /(?:-h|--header|-u|--user|--cert|--key|--cacert|--netrc-file|-i|--identity|-headers)[= ]{1,2}(?:"[^"]{0,300}"|'[^']{0,300}'|[^\s|;&]{1,300})|["']?(?:authorization|x-api-key|x-auth-token|private-token)["']?\s*[:=]\s*(?:"[^"]{0,300}"|'[^']{0,300}'|`[^`]{0,300}`|[^\s,}]{1,300})/g;
/** `key=$MAPS_KEY` goes to the service it is for; a vendor's token that goes to somebody else does not. */
const OWN_PARAMETER = /[?&"'\s][\w-]{0,30}(?:key|token|secret|password|auth|appid)=["']?\$\{?\w{1,60}/g;
const VENDORS = ['github', 'openai', 'anthropic', 'npm', 'pypi', 'cargo', 'stripe', 'aws'];

const SECRETS: readonly RegExp[] = [
  /document\.cookie|localstorage|\$\{?\(?(?:env:|\{)?\w{0,40}(?:key|token|secret|passw|credential|apikey)\w{0,20}|%\w{0,30}(?:key|token|secret|password)\w{0,10}%/,
  /process\.env\.\w{0,30}(?:key|token|secret|password)|environ\[?.{0,3}\w{0,30}(?:key|token|secret|password)/,
  /(?<!\w)\.env(?!\.(?:example|sample|template|dist|test))\b(?!\w|\()|\.aws\b|(?:^|[/\s@=])id_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|\.netrc|\.pgpass|\.git-credentials|\.npmrc|\.pypirc|\.kube\/config|\.docker\/config|\.ssh\b(?!\/(?:known_hosts|config\b|[\w.-]+\.pub))|credentials\b(?!\.yml\.enc)|\/etc\/(?:shadow|passwd)|\.gnupg|share\/keyrings|cookies\.sqlite|logins\.json|\.password-store|wallet\.dat/,
  // The whole environment.
  /\$\((?:env|printenv|set)\b|(?:^|[\s;`(&])(?:env|printenv|export -p)\s*\|(?!\s*(?:sort|grep -c|wc|less)\s*$)|<\((?:env|printenv)|stringify\(process\.env\)|(?:json|data|dict)\W{0,3}\(?(?:dict\()?os\.environ\b(?!\[|\.get)/,
];

function carries(line: string): boolean {
  const rest = line.replace(OWN_PARAMETER, (found) =>
    VENDORS.some((vendor) => found.includes(vendor) && once(line, vendor)) ? found : ' ',
  );
  return SECRETS.some((secret) => secret.test(rest));
}
const once = (line: string, word: string): boolean => line.indexOf(word) === line.lastIndexOf(word);

/** To another machine: an address decides, and only without one a bare name. */
const leaves = (line: string): boolean => (ADDRESS.test(line) ? FAR_ADDRESS : FAR_NAME).test(line);

/** Something goes out: a body, a query, an upload, a pipe into the network, or a name that is looked up. */
const SENDS =
  /(?:\s-d|--data\S*|-f\s|-f=|--form|-t\s|--upload-file|--post-\w+|--body-\w+|-body|body\s*[:=]|json\s*=|data\s*=|files\s*=|\?[\w=&$%{}.~-]{0,200}[=$]|method|\bpost\b|\bput\b|\|\s*(?:nc|ncat|curl|wget|mail|socat|openssl)|<\s|@|\+\s*os\.environ|\?["']?\s*\+|\$\(|\b(?:dig|nslookup|scp|sftp|mail|rclone)\b|\/\$\{?\w)/;
