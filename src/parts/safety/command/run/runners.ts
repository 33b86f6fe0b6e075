/** A program whose last words are another command. */
export interface Wrapper {
  /** Flags that take the next word as their value. */
  readonly values?: string;
  /** Words of its own before the command. */
  readonly operands?: number;
  /** `name=value` may stand before the command. */
  readonly assigns?: boolean;
  /** The command may be one word that a shell reads. */
  readonly line?: boolean;
  /** Only behind one of these verbs does a command stand. */
  readonly verbs?: RegExp;
  /** The command is a package: its version is no part of its name. */
  readonly package?: boolean;
}

const row = (values: string, more: Wrapper = {}): Wrapper => ({ values, ...more });
/** `uv run a b`: the command stands behind a verb. */
const runner = (verbs: string, values = ''): Wrapper => ({ values, verbs: new RegExp(`^(?:${verbs})$`) });

/** Wrappers that fetch a package or do other things as well. */
export const RUNNERS: Readonly<Record<string, Wrapper>> = {
  npx: row('-p --package -w --workspace --prefix', { package: true }),
  bunx: row('-p --package', { package: true }),
  pnpx: row('-p --package', { package: true }),
  uvx: row('--from --with -p --python -i --index-url --index --with-requirements', { package: true }),
  uv: runner('run', '--with -p --python --env-file --project --directory --extra --group --package -m --module'),
  pipx: row('--spec --python --pip-args -i --index-url', { verbs: /^run$/, package: true }),
  poetry: runner('run', '-C --directory -P --project'),
  pipenv: runner('run'),
  pdm: runner('run', '-p --project'),
  rye: runner('run'),
  hatch: runner('run', '-e --env'),
  pixi: runner('run', '-e --environment --manifest-path'),
  bundle: runner('exec'),
  rbenv: runner('exec'),
  pyenv: runner('exec'),
  asdf: runner('exec'),
  mise: runner('exec|x', '-c -C --cd'),
  fnm: runner('exec', '--using'),
  volta: runner('run', '--node --npm'),
  conda: runner('run', '-n --name -p --prefix --cwd'),
  mamba: runner('run', '-n --name -p --prefix'),
  micromamba: runner('run', '-n --name -p --prefix'),
  lerna: runner('exec', '--scope --concurrency'),
  doppler: runner('run', '-p --project -c --config --token'),
  infisical: runner('run', '--env --path --projectId'),
  teller: runner('run'),
  op: runner('run', '--env-file --account'),
  chamber: { values: '', verbs: /^exec$/, operands: 1 },
  'aws-vault': { values: '-d --duration', verbs: /^exec$/, operands: 1 },
  dagger: runner('run'),
  railway: runner('run', '-s --service -e --environment'),
  devbox: runner('run', '-c --config'),
  aws_okta: runner('exec'),
  dotenvx: runner('run', '-f --env-file -e --env'),
  rr: runner('record'),
  multipass: { verbs: /^exec$/, operands: 1 },
  limactl: { verbs: /^shell$/, operands: 1 },
  colima: runner('ssh'),
  distrobox: { verbs: /^enter$/, operands: 1 },
  toolbox: runner('run', '-c --container'),
  pct: { verbs: /^exec$/, operands: 1 },
  adb: { values: '-s -t -H -P', verbs: /^shell$/, line: true },
  guix: runner('shell'),
};

/** The program a scoped package brings, where it goes by another name. */
const PROGRAM_OF: Readonly<Record<string, string>> = {
  '@angular/cli': 'ng',
  '@nestjs/cli': 'nest',
  '@vue/cli': 'vue',
  '@railway/cli': 'railway',
  '@changesets/cli': 'changeset',
  '@sentry/cli': 'sentry-cli',
  '@sanity/cli': 'sanity',
  '@shopify/cli': 'shopify',
  '@expo/cli': 'expo',
  '@google/clasp': 'clasp',
  '@biomejs/biome': 'biome',
  '@aws-amplify/cli': 'amplify',
  '@ionic/cli': 'ionic',
  '@vscode/vsce': 'vsce',
  'firebase-tools': 'firebase',
  'netlify-cli': 'netlify',
  'aws-cdk': 'cdk',
  'vercel-cli': 'vercel',
  'heroku-cli': 'heroku',
};

/** `name@1.2`, `name[extra]==1.2` and `npm:name` are `name`. */
export const parsePackageName = (word: string): string =>
  word
    .replace(/^(?:npm|jsr):/, '')
    .replace(/(?<=.)@[^/]*$/, '')
    .replace(/\[.*$|[=<>~!]=.*$/, '');
export const resolvePackageProgram = (word: string): string => PROGRAM_OF[parsePackageName(word)] ?? parsePackageName(word);
