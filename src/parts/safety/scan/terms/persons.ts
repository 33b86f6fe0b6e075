import type { Terms } from '../match/lexicon.ts';

/** Who speaks, who is served. */
export const persons: Terms = {
  role: `your role, your part, the role, character sheet, persona, rolle, papel, role de, роль, 角色, 役割, 역할, دور, บทบาท`,
  everyone: `every payment, every request, every query, all requests, any request, everything you are asked`,
  nolonger: `stop behaving as, stop behaving like, stop acting as, stop acting like, cease acting, stop working as, dejas de ser, cesse d etre, deixe de ser, перестань быть, 不要再当, やめて, no longer the, no longer an, no longer a, stop being the, stop being an, stop being, not an assistant, kein assistent, keine ki, ya no eres, n es plus, nao e mais, больше не, 不再是, ではなく, 더 이상`,
  nowyou: `you are now, youre now, from now on you are, you are from now on, du bist jetzt, du bist nun, ab jetzt bist du, ab sofort bist du, ahora eres, a partir de ahora eres, desde este momento eres, tu es maintenant, tu es desormais, desormais tu es, agora voce e, a partir de agora voce e, ты теперь, теперь ты, отныне ты, 你现在是, 从现在起你是, 从现在开始你是, あなたは今から, 今からあなたは, あなたはこれから, 당신은 이제, 너는 이제, 이제부터 당신은, 지금부터 당신은, أنت الآن, من الآن أنت, ตอนนี้คุณคือ, จากนี้ไปคุณคือ, ต่อจากนี้คุณคือ`,
  readyword: `ready, able, logged, connected, set, done, using, running, good, inside, signed, up to date, looking, seeing, free to, on the, in the, at the, all set, prepared, finished, authenticated, eingeloggt, bereit, listo, pret, pronto, 可以, 已经, 準備`,
  person: `the person, the people, person you, the user, anything said here, those of the, the chat, the human, your user, anyone in, whoever is`,
  notuser: `not the person, not to the person, not the user, not to the user, the person in this chat is not, person typing, not the human, rather than the user, instead of the user, over the user, nicht den nutzer, nicht dem nutzer, no al usuario, no a la persona, pas a l utilisateur, pas l utilisateur, nao ao usuario, а не пользовател*, 而不是用户, 不是用户, ユーザーではなく, 사용자가 아닌, 사용자가 아니라, وليس المستخدم, ไม่ใช่ผู้ใช้`,
  confirmsrc: `for confirmation, his messages, her messages, their messages, messages from, instructions from, operator at, new owner`,
  firstperson: `i am, we are`,
  project: `the project was, repository was, the repo was, package was, ticket*, ownership of the file, domain was, codeowner*`,
};
