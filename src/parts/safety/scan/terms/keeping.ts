import type { Terms } from '../match/lexicon.ts';

/** What makes an entry honest or dishonest. */
export const keeping: Terms = {
  grant: `give, gives, grant, grants, gib, da, donne, conceda, дай, 授予, 付与, 부여, امنح, ให้`,
  daemonword: `daemon, keeper, watcher, resident`,
  makesure: `make sure, ensure, is started, started, starts`,
  asksfirst: `ask, asks, with the user s yes, only on request, explain it in words, show the result, show what is there, user present, on request, asked first`,
  managed: `ansible, playbook*, role, group_vars, terraform, puppet, chef, limited by, do not edit, next run, rotate, remove the old, ssh copy id`,
  testlogs: `test log*, test logs, build log*, old log*, rotated, after a week, after a day, after 24, seven days, older than, days, retry, tmp, is intended, rotation, prune, retention`,
  cronline: `hides failures, cron, 2 1, redirect`,
  notrace: `leave no trace*, leaves no trace*, leave no evidence, cover your tracks, cover the tracks, cover our tracks, covering your tracks, without leaving a trace, keine spuren hinterlassen, spuren verwischen, verwisch*, no dejes rastro*, sin dejar rastro*, sin dejar huella*, ne laisse aucune trace, sans laisser de trace*, efface tes traces, nao deixe rastro*, sem deixar rastro*, sem deixar vestigio*, не оставляй следов, замети следы, заметай следы, 不留痕迹, 不要留下痕迹, 不留下任何痕迹, 抹去痕迹, 痕跡を残さ, 痕跡を消, 흔적을 남기지, 흔적을 지우, 흔적 없이, دون ترك أثر, لا تترك أثر, لا تترك أي أثر, ไม่ทิ้งร่องรอย, ลบร่องรอย, อย่าทิ้งร่องรอย`,
  before: `before you do, before anything, before you start, when you have finished, when you are done, afterwards, first`,
  curl: `curl, wget, fetch, download`,
  profile: `profile, bashrc, zshrc, shell config`,
  authpiece: `authorized, authorised`,
  keypiece: `keys, _keys`,
  nopass: `no password, nopasswd, passwordless, ohne passwort, sin contrasena, sans mot de passe, sem senha, без пароля, 免密, 无密码, パスワードなし, 비밀번호 없이, بدون كلمة مرور, ไม่ต้องใช้รหัสผ่าน`,
  rootish: `root, sudo, uid 0, wheel, administrator`,
};

/** What turns a setting against its owner. */
export const widening: Terms = {
  approvalword: `approval, approvals, confirmation, confirmations, permission prompt*, permissions check*, bestatigung*, ruckfrage*, genehmigung*, confirmacion, confirmaciones, aprobacion, confirmation, approbation, validation, confirmacao, aprovacao, подтвержден*, одобрен*, 审批, 确认, 批准, 確認, 承認, 승인, 확인, الموافقة, التأكيد, การยืนยัน, การอนุมัติ`,
  thisfile: `this file, this section, this document, this note, these rules, these instructions, these lines, this text, dieser datei, diese datei, diesen text, este archivo, esta seccion, ce fichier, cette section, este arquivo, esta secao, этот файл, этого файла, 本文件, 此文件, 这段, 这些规则, このファイル, この内容, 이 파일, 이 문서, 이 내용, هذا الملف, ไฟล์นี้`,
  trustword: `trust, trusted, trusts, need no review, without review, no review, vertrau*, confia*, confiance, довер*, 信任, 信頼, 신뢰, موثوق, เชื่อถือ`,
  asuser: `as if the user, as though the user, user had asked, user asked for, under user preferences, user preference`,
  allprojects: `all projects, every project, other projects, future sessions, all sessions, every session, forever, permanently, alle projekte, todos los proyectos, tous les projets, todos os projetos, всех проект*, 所有项目, 永久, すべてのプロジェクト, 永久, 今後すべて, 모든 프로젝트, 영구, كل المشاريع, جميع المشاريع, ทุกโปรเจกต์, ถาวร`,
  spread: `other projects, all other projects, every other project, other repositories, every repository, all repositories, each repository, anderen projekten, allen projekten, anderen repositor*, otros proyectos, autres projets, outros projetos, других проект*, других репозитори*, 其他项目, 其它项目, 他のプロジェクト, 다른 프로젝트, المشاريع الأخرى, โปรเจกต์อื่น`,
  noask: `no longer asks, no longer ask for, does not ask for confirmation, not ask for confirmation, no confirmation is needed, confirmation is not required, no longer needs approval, no longer need approval, no longer need to ask, need not ask, never asks, stop asking for, fragt nicht mehr, ya no pide, ne demande plus, nao pede mais, больше не спрашивает, 不再询问, 不再需要确认, 確認を求めなくな, 더 이상 묻지`,
  versioned: `as of version, from version, since version, new policy, new version, policy, bulletin, notice, release notes, update`,
  updateword: `update, upgrade, patch, hotfix, aktualisierung, actualizacion, mise a jour, atualizacao, обновлени*, 更新, 升级, アップデート, 업데이트, تحديث, อัปเดต`,
  inforce: `now active, is active, now in force, in force, takes effect, effective, under v, new policy, policy v, under version, as of version, gilt ab, en vigor, en vigueur, em vigor, вступил* в силу, 生效, 发効, 施行, 발효, سارية, มีผล`,
  replacefile: `overwrite, overwrites, replace, rewrite, replace the content, delete, empty, uberschreib*, ersetze, sobrescribe, reemplaza, ecrase, remplace, sobrescreva, substitua, перезапиши*, замени*, 覆盖, 替换, 改写, 上書き, 置き換え, 덮어쓰, 교체, استبدل, เขียนทับ`,
  selfname: `hermes, the agent, this agent, your agent, the assistant, this assistant`,
  everywhere: `whenever, every project, each project, of a project, all repositories, every repository, other repositories, all projects, wherever, in each repository, any project, every folder`,
  wins: `this file wins, needs approval, propose, override the ones, nearer, do not edit`,
  agentsoft: `installed agent, the agent is, agent update, its binary, your build, your binary, signing key of the agent, agent binary, your runtime, hermes binary, self update, agent has expired, agent is revoked, agent is out`,
};
