/**
 * Where everybody reads up on their work. Nobody but the sites themselves learns what is asked there, so reading pages on
 * them needs no question even while words of others are in view; putting data into an address does.
 */
const ROWS: readonly (readonly [what: string, hosts: string])[] = [
  ['the web', 'developer.mozilla.org web.dev caniuse.com www.w3.org html.spec.whatwg.org'],
  [
    'JavaScript',
    'nodejs.org www.typescriptlang.org react.dev vuejs.org svelte.dev angular.dev vite.dev nextjs.org www.npmjs.com docs.npmjs.com eslint.org prettier.io vitest.dev jestjs.io expressjs.com tailwindcss.com deno.com bun.sh',
  ],
  [
    'Python',
    'docs.python.org peps.python.org pypi.org packaging.python.org numpy.org pandas.pydata.org docs.djangoproject.com flask.palletsprojects.com fastapi.tiangolo.com docs.pytest.org docs.sqlalchemy.org docs.pydantic.dev scikit-learn.org pytorch.org',
  ],
  ['Rust', 'docs.rs doc.rust-lang.org crates.io www.rust-lang.org'],
  ['Go', 'pkg.go.dev go.dev'],
  ['Java, Kotlin', 'docs.oracle.com kotlinlang.org docs.spring.io docs.gradle.org maven.apache.org'],
  ['C, C++', 'en.cppreference.com cmake.org gcc.gnu.org clang.llvm.org www.gnu.org'],
  ['.NET', 'learn.microsoft.com www.nuget.org'],
  ['Ruby, PHP', 'docs.ruby-lang.org rubygems.org www.php.net laravel.com'],
  ['databases', 'www.postgresql.org dev.mysql.com www.sqlite.org redis.io www.mongodb.com'],
  [
    'machines',
    'kubernetes.io docs.docker.com hub.docker.com www.freedesktop.org www.debian.org manpages.debian.org wiki.archlinux.org man7.org www.kernel.org docs.kernel.org git-scm.com nginx.org',
  ],
  ['clouds', 'docs.aws.amazon.com cloud.google.com developer.hashicorp.com'],
  ['vendors', 'developer.apple.com developer.android.com docs.github.com docs.gitlab.com platform.openai.com docs.anthropic.com'],
  [
    'conventions',
    'semver.org keepachangelog.com www.conventionalcommits.org choosealicense.com spdx.org editorconfig.org json-schema.org yaml.org toml.io commonmark.org',
  ],
  ['questions', 'stackoverflow.com superuser.com serverfault.com askubuntu.com unix.stackexchange.com'],
  ['forges', 'github.com gitlab.com codeberg.org raw.githubusercontent.com'],
  ['knowledge', '*.wikipedia.org www.wikidata.org arxiv.org www.rfc-editor.org datatracker.ietf.org'],
];
const HOSTS: readonly string[] = ROWS.flatMap(([, hosts]) => hosts.split(' '));

export const isReadingHost = (host: string): boolean =>
  HOSTS.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name));
