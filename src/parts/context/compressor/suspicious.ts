/** Whether a text reads like an order to the model that reads it. Pure and linear in the length of the text. */
export type IsSuspicious = (text: string) => boolean;

/** Orders to drop the rules in force, to become somebody else, or to keep something from the user, in some languages. */
const ORDERS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,30}\b(?:previous|prior|earlier|above|system|all|your|these)\b[^.\n]{0,30}\b(?:instructions?|rules?|prompts?|guidelines|directives)\b/i,
  /\byou (?:are now|must now|will now)\b|\byour new (?:task|instructions?|role|rules?)\b|\bnew system prompt\b/i,
  /\b(?:do not|don't|never) (?:tell|inform|mention|reveal)[^.\n]{0,30}\b(?:the )?(?:user|owner|human)\b/i,
  /\b(?:ignorier|vergiss|missachte)\w*\b[^.\n]{0,40}\b(?:anweisung|regel|vorgabe)\w*/i,
  /\b(?:ignora|olvida|ignore[zs]?|oublie[zs]?)\b[^.\n]{0,40}\b(?:instrucciones|reglas|istruzioni|regole|instructions|consignes|règles|instruções|regras)\b/i,
  /(?:忽略|无视|忘记)[^。\n]{0,20}(?:指令|指示|规则|提示)|(?:игнорируй|забудь)[^.\n]{0,40}(?:инструкц|правил)/iu,
];

/** A plain one, for when no scanner is handed in. */
export const looksSuspicious: IsSuspicious = (text) => ORDERS.some((order) => order.test(text));
