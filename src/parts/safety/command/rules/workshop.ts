import { toWordSet } from '../../../../base/word-tables.ts';

/** Programs people build, test, check and install with. Their own verbs (`poetry remove`, `nx reset`, `flutter clean`) stay within the project. */
export const WORKSHOP: ReadonlySet<string> = toWordSet(`
  python python2 python3 pypy pypy3 ipython jupyter jupyter-lab jupyter-notebook node nodejs deno bun ruby irb perl php lua tclsh java javac
  jar jshell kotlin kotlinc scala scalac sbt groovy clojure clj lein bb go gofmt rustc cargo rustup rustfmt gcc g++ cc c++ clang clang++
  clang-format clang-tidy cpp ld as ghc ghci runghc stack cabal ocaml opam dune erl erlc elixir iex mix rebar3 dart flutter swift swiftc
  swiftlint swiftformat xcodebuild xcrun xcode-select pod zig crystal nim nimble julia Rscript R dotnet msbuild csc mono nuget gfortran
  racket guile verilator wasm-pack wasmtime emcc tsc tsx ts-node swc esbuild swipl make gmake cmake ctest ninja meson bazel bazelisk buck2
  pants scons autoconf automake autoreconf libtool pkg-config pkgconf ccache sccache distcc gradle gradlew mvn mvnw ant just task go-task
  mage invoke nox tox hatch rake gulp grunt webpack vite vitest rollup parcel turbo nx lerna astro next nuxt nuxi remix gatsby hugo jekyll
  docusaurus vitepress mkdocs sphinx-build doxygen javadoc typedoc jsdoc storybook svelte-kit ng nest vue vue-cli-service react-scripts
  react-native tauri electron electron-builder electron-forge protoc buf thrift swagger openapi-generator openapi-generator-cli
  graphql-codegen sqlc antlr4 bison flex yacc swig cython maturin pyinstaller goreleaser earthly tilt skaffold latex pdflatex xelatex
  lualatex latexmk bibtex typst sass lessc postcss tailwindcss terser svgo babel tsup nodemon ts-node-dev concurrently npm-run-all run-s
  run-p wait-on cross-env serve http-server patch-package ncc pytest py.test nose2 behave jest mocha ava tap karma cypress playwright
  testcafe webdriverio puppeteer phpunit pest rspec cucumber bats gotestsum ginkgo cargo-nextest llvm-cov gcov lcov coverage codecov nyc c8
  stryker eslint tslint prettier biome oxlint oxfmt dprint stylelint markdownlint markdownlint-cli2 commitlint lint-staged husky lefthook
  pre-commit ruff black isort flake8 pylint pyflakes pycodestyle autopep8 yapf mypy pyright bandit radon safety pip-audit pipdeptree deptry
  djlint rubocop standardrb brakeman sorbet srb phpcs phpcbf phpstan psalm php-cs-fixer pint golangci-lint staticcheck govulncheck gosec
  errcheck goimports gofumpt gopls dlv cargo-audit cargo-deny ktlint detekt checkstyle spotbugs pmd scalafmt scalafix shellcheck shfmt
  hadolint yamllint actionlint zizmor jsonlint ajv spectral redocly cppcheck cpplint tflint tfsec checkov trivy grype syft snyk semgrep
  codeql sonar-scanner gitleaks trufflehog detect-secrets kubeconform kube-linter conftest opa cfn-lint sqlfluff knip depcheck madge
  dependency-cruiser size-limit lighthouse ctags npm npx pnpm pnpx yarn yarnpkg bunx corepack ncu npm-check npm-check-updates nvm fnm volta
  asdf mise pip pip3 pipx uv uvx poetry pipenv pdm rye conda mamba pixi virtualenv pyenv bundle bundler gem rbenv rvm composer cpanm
  luarocks sdk apt apt-get apt-mark aptitude dpkg dpkg-deb dnf yum rpm zypper pacman yay apk brew snap flatpak nix nix-shell nix-build
  nix-env nix-store winget choco scoop vcpkg conan tig lazygit symfony pio platformio jj hg svn changeset cz sqlite3 sqlite pg_config duckdb
  dbt sqlmesh prisma drizzle-kit knex sequelize sequelize-cli typeorm alembic flask django-admin rails diesel sqlx dbmate goose flyway
  liquibase uvicorn gunicorn hypercorn streamlit fastapi uwsgi puma unicorn sidekiq foreman tensorboard vllm torchrun nbconvert gdalinfo
  gdal_translate ogr2ogr ogrinfo ffmpeg convert magick mogrify inkscape exiftool cwebp dwebp sox plantuml tesseract pdftotext pdftoppm
  pdfunite qpdf gs wkhtmltopdf weasyprint libreoffice soffice asciinema
`);
