/**
 * Where packages come from, and the indexes and files behind them. Reading from these is part of everyday work and asks
 * nobody. Left out on purpose: proxies that fetch from any host that is named to them (`module-relay.ts` for Go's), and places where anybody can receive what is sent to them (storage buckets, gists, image hosts).
 */
const ROWS: readonly (readonly [what: string, hosts: string])[] = [
  ['npm, Yarn, JSR', 'registry.npmjs.org registry.yarnpkg.com repo.yarnpkg.com jsr.io npm.jsr.io'],
  ['Node.js', 'nodejs.org'],
  ['Bun, Deno', 'deno.land dl.deno.land'],
  ['PyPI', 'pypi.org files.pythonhosted.org bootstrap.pypa.io'],
  ['Conda', 'conda.anaconda.org repo.anaconda.com'],
  ['Rust', 'crates.io index.crates.io static.crates.io static.rust-lang.org'],
  ['Go', 'go.dev'],
  ['Maven, Gradle', 'repo.maven.apache.org repo1.maven.org plugins.gradle.org services.gradle.org downloads.gradle.org'],
  ['Android', 'maven.google.com dl.google.com'],
  ['Ruby', 'rubygems.org index.rubygems.org'],
  ['PHP', 'packagist.org repo.packagist.org'],
  ['.NET', 'api.nuget.org'],
  ['Elixir', 'hex.pm repo.hex.pm builds.hex.pm'],
  ['Dart', 'pub.dev'],
  ['Haskell', 'hackage.haskell.org'],
  ['Perl', 'www.cpan.org cpan.metacpan.org fastapi.metacpan.org'],
  ['R', 'cran.r-project.org cloud.r-project.org'],
  ['CocoaPods', 'cdn.cocoapods.org'],
  ['Homebrew', 'formulae.brew.sh'],
  ['GitHub, where nothing can be sent to', 'raw.githubusercontent.com codeload.github.com'],
  ['Debian', 'deb.debian.org security.debian.org ftp.debian.org'],
  ['Ubuntu', 'archive.ubuntu.com *.archive.ubuntu.com security.ubuntu.com ports.ubuntu.com'],
  ['Alpine', 'dl-cdn.alpinelinux.org'],
  ['Fedora', 'mirrors.fedoraproject.org dl.fedoraproject.org'],
  ['Arch', 'geo.mirror.pkgbuild.com'],
];
export const REGISTRY_HOSTS: readonly string[] = ROWS.flatMap(([, hosts]) => hosts.split(' '));
