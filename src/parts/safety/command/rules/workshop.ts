/** Programs people build with. Their own verbs (`poetry remove`, `nx reset`, `flutter clean`) stay within the project. */
const LANGUAGES = `
  python python2 python3 pypy pypy3 ipython jupyter jupyter-lab jupyter-notebook node nodejs deno bun ruby irb erb perl php lua luajit
  tclsh wish java javac jar jshell kotlin kotlinc scala scalac sbt mill groovy clojure clj lein bb go gofmt rustc cargo rustup rustfmt gcc
  g++ cc c++ clang clang++ clang-format clang-tidy cpp ld gold lld mold as nasm yasm ghc ghci runghc stack cabal ocaml opam dune erl erlc
  elixir iex mix rebar3 gleam dart flutter fvm swift swiftc swiftlint swiftformat xcodebuild xcrun xcode-select pod carthage zig crystal
  shards nim nimble julia Rscript R octave matlab sage maxima gp dotnet msbuild csc fsc mono nuget v d dmd dub fpc gfortran racket guile
  sbcl janet coqc lean lake agda idris2 iverilog verilator yosys ghdl solc cast anvil hardhat truffle anchor wasm-pack wasmtime wasmer
  wat2wasm emcc tsc tsx ts-node swc esbuild qemu-system-x86_64 wine prolog swipl
`;
const BUILDING = `
  make gmake cmake ctest cpack ninja meson bazel bazelisk buck buck2 pants please plz scons waf autoconf automake autoreconf configure
  libtool pkg-config pkgconf ccache sccache distcc gradle gradlew mvn mvnw ant ivy jbang maven just task go-task mage invoke nox tox hatch
  rake thor gulp grunt webpack vite vitest rollup parcel turbo nx lerna rush moon snowpack astro next nuxt nuxi remix gatsby eleventy hugo
  jekyll hexo docusaurus vitepress mkdocs sphinx-build sphinx-quickstart doxygen javadoc typedoc jsdoc storybook sb start-storybook
  build-storybook svelte-kit ng nest vue vue-cli-service react-scripts craco expo react-native ionic cordova quasar tauri electron
  electron-builder electron-forge protoc buf flatc thrift swagger openapi-generator openapi-generator-cli graphql-codegen sqlc jooq antlr4
  bison flex yacc ragel swig cython maturin setuptools-rust pyinstaller nuitka briefcase cx_Freeze shiv pex goreleaser ko kaniko pack
  nixpacks earthly dagger tilt skaffold latex pdflatex xelatex lualatex latexmk tectonic bibtex biber typst groff troff context sass scss
  lessc postcss tailwindcss stylus uglifyjs terser cssnano svgo imagemin pug ejs handlebars mustache htmlmin babel tsup unbuild rollup
  tsdown microbundle pkgroll nodemon ts-node-dev concurrently npm-run-all run-s run-p wait-on cross-env env-cmd serve http-server
  live-server json-server shx patch-package ncc watchman swagger-codegen
`;
const CHECKING = `
  pytest py.test unittest nose2 behave robot jest mocha ava tap tape jasmine karma cypress playwright testcafe webdriverio wdio nightwatch
  puppeteer phpunit pest codecept behat rspec minitest cucumber bats shellspec shunit2 gtest catch2 go-junit-report gotestsum ginkgo
  mockgen richgo criterion cargo-nextest tarpaulin llvm-cov gcov lcov genhtml gcovr coverage codecov nyc c8 stryker mutmut hypothesis
  eslint tslint prettier biome oxlint oxfmt dprint standard xo stylelint htmlhint markdownlint markdownlint-cli2 remark commitlint
  lint-staged husky lefthook pre-commit ruff black isort flake8 pylint pyflakes pycodestyle pydocstyle autopep8 yapf autoflake mypy
  pyright pytype pyre bandit vulture radon xenon safety pip-audit pipdeptree deptry interrogate djlint rubocop standardrb brakeman reek
  sorbet srb steep phpcs phpcbf phpstan psalm php-cs-fixer rector pint golangci-lint staticcheck govulncheck gosec revive errcheck
  goimports gofumpt gopls dlv clippy-driver cargo-audit cargo-deny ktlint detekt checkstyle spotbugs pmd scalafmt scalafix shellcheck
  shfmt hadolint dockle yamllint actionlint zizmor jsonlint ajv spectral redocly cppcheck cpplint include-what-you-use tflint tfsec
  terrascan checkov trivy grype syft snyk semgrep codeql sonar-scanner gitleaks trufflehog detect-secrets kubeval kubeconform kube-score
  kube-linter conftest opa cfn-lint sqlfluff sqlfmt pgformatter pg_format buildifier taplo knip depcheck madge dependency-cruiser
  size-limit bundlesize lighthouse lhci pa11y axe source-map-explorer webpack-bundle-analyzer tokei cloc scc sloccount lizard ctags cscope
`;
const PACKAGES = `
  npm npx pnpm pnpx yarn yarnpkg bunx corepack ncu npm-check npm-check-updates nvm fnm volta n asdf mise rtx pip pip2 pip3 pipx uv uvx
  poetry pipenv pdm rye conda mamba micromamba pixi virtualenv venv pyenv bundle bundler gem rbenv rvm chruby composer pecl pear cpan
  cpanm carton luarocks hex sdk jenv jabba gvm goenv tfenv tgenv nodenv phpenv apt apt-get apt-cache apt-file apt-mark aptitude dpkg
  dpkg-query dpkg-deb dnf yum rpm zypper pacman yay paru apk brew port snap flatpak nix nix-shell nix-build nix-env nix-store guix emerge
  equery xbps-install xbps-query opkg winget choco scoop mas vcpkg conan xmake spack easybuild module tig lazygit gitui ddev lando sail
  valet symfony phpstorm pio platformio arduino-cli idf.py west openocd snakemake nextflow gh-pages fastlane git-cliff git-absorb
  git-branchless gt spr jj hg svn fossil bzr cvs changeset release-it standard-version conventional-changelog cz commitizen towncrier
  bumpversion bump2version bump-my-version semantic-release np
`;
const DATA = `
  sqlite3 sqlite pg_config duckdb litecli dbt sqlmesh prisma drizzle-kit knex sequelize sequelize-cli typeorm mikro-orm alembic flask
  django-admin rails rake artisan diesel sqlx sea-orm-cli dbmate goose flyway liquibase ecto uvicorn gunicorn hypercorn daphne streamlit
  gradio fastapi uwsgi puma unicorn sidekiq foreman overmind hivemind honcho procs tensorboard llama-cli vllm torchrun accelerate
  nbconvert papermill jupytext nbstripout gdalinfo gdal_translate ogr2ogr ogrinfo ffmpeg ffprobe ffplay convert magick identify mogrify
  montage composite gm inkscape rsvg-convert exiftool exif optipng pngquant oxipng jpegoptim cwebp dwebp gifsicle sox soxi lame flac
  opusenc mediainfo mkvmerge handbrakecli vips blender openscad gimp gnuplot dot neato mmdc plantuml d2 qrencode zbarimg tesseract
  pdftotext pdfinfo pdftoppm pdfunite pdfseparate qpdf pdftk gs ps2pdf wkhtmltopdf weasyprint libreoffice soffice unoconv ebook-convert
  calibre antiword catdoc docx2txt asciinema agg vhs
`;
export const WORKSHOP: ReadonlySet<string> = new Set([LANGUAGES, BUILDING, CHECKING, PACKAGES, DATA].join(' ').split(/\s+/));
