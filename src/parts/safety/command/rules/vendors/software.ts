import { type Vendors } from './vendor.ts';

/** Software of this machine, by who manages it. To look, to install and to renew is everyday work. */
export const SOFTWARE: Vendors = {
  'apt apt-get aptitude': {
    fine: `
      update upgrade safe-upgrade install reinstall list show search policy depends rdepends download changelog source showsrc madison
      showpkg satisfy build-dep clean autoclean check moo versions why why-not indextargets
    `,
    sharp: '--purge --auto-remove --autoremove --allow-remove-essential --allow-downgrades --allow-change-held-packages --force-yes',
    values: '-t --target-release -o -c --config-file -q',
  },
  'apt-mark': { fine: 'showmanual showauto showhold manual unhold' },
  'dnf yum microdnf dnf5 tdnf': {
    fine: `
      list info search install update upgrade check-update check-upgrade repolist repoinfo provides whatprovides repoquery
      history/list|info group/list|info|install grouplist groupinstall makecache deplist download clean check reinstall localinstall
      needs-restarting updateinfo module/list|info builddep changelog advisory/list environment/list
    `,
    sharp: '--allowerasing --nogpgcheck --skip-broken-remove',
    values: '-c --config -x --exclude --enablerepo --disablerepo --repo --releasever --installroot --setopt',
  },
  zypper: {
    fine: `
      search se info if install in update up refresh ref list-updates lu repos lr packages pa patterns pt what-provides wp patch-check
      pchk verify ve locks ll source-install download
    `,
  },
  apk: {
    fine: 'add info search update upgrade list stats policy version fetch audit verify dot index manifest',
    sharp: `--allow-untrusted`,
    values: `-X --repository -p --root`,
  },
  brew: {
    fine: `
      install reinstall list ls info search update upgrade doctor dr outdated deps uses leaves home desc config tap tap-info link pin
      unpin cleanup fetch log missing audit style test create shellenv commands completions analytics formulae casks postinstall cat
      formula services/list|start|info|run bundle/install|check|list|dump|exec|add bundle which-formula command-not-found-init options
      source irb readall livecheck docs sh exec typecheck
    `,
    not: 'cleanup/-s|--prune=all|--prune bundle/cleanup',
    sharp: '--ignore-dependencies --zap',
  },
  snap: {
    fine: `
      list info find search install refresh version connections interfaces services logs run changes tasks warnings known whoami login get
      start model download connect alias aliases help
    `,
    not: `refresh/--hold`,
    sharp: `--dangerous`,
  },
  flatpak: {
    fine: `
      list info search install update run remotes remote-ls remote-info history ps config permissions permission-show build build-init
      documents enter remote-add upgrade
    `,
    not: `config/--unset|--set`,
    sharp: `--delete-data --no-gpg-verify`,
  },
  'port opkg eopkg slackpkg xbps-query guix-search': {
    fine: `
      list installed info search install update upgrade selfupdate sync outdated contents deps variants query which stats version rquery
      files status find print-architecture li it ur up lu
    `,
  },
  'winget choco scoop': {
    fine: `
      list search info show install upgrade update outdated source/list status which home cat export import find depends checkup
      bucket/list|known config/list pin/list
    `,
  },
};
